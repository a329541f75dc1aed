program same_file_by_two_units_in_turn
   implicit none
   integer :: i, n
   do i = 1, 30
      open (10, file="a.txt", position="append")
      write (10, "(i5)") i
      close (10)
      open (11, file="a.txt", action="read")
      n = 0
      do
         read (11, *, end=20) n
      end do
20    close (11)
      print *, n
   end do
end program same_file_by_two_units_in_turn
