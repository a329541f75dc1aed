! gfortran takes byte 255 for the end of the format.
program byte_255_in_a_format
   implicit none
   integer :: stat, i
   character(40) :: form
   character(100) :: message = " "
   open (9, file="records.txt")
   form = "('a" // achar(255) // "b',i5)"
   do i = 1, 20
      write (9, form, iostat=stat, iomsg=message) i
      print *, stat, trim(message)
      write (9, "(i5)") i
   end do
end program byte_255_in_a_format
