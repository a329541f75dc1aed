program ftell_and_fseek
   implicit none
   integer :: i, place
   open (10, file="a.txt")
   do i = 1, 40
      write (10, "(i7)") i
      place = ftell(10)
      print *, place
      if (mod(i, 10) == 0) call fseek(10, 0, 2)
   end do
end program ftell_and_fseek
