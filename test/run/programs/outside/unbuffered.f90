!run: set GFORTRAN_UNBUFFERED_ALL 1
program unbuffered
   implicit none
   integer :: i
   open (10, file="a.txt")
   do i = 1, 50
      write (10, "(i5)") i
      print *, i
      if (mod(i, 20) == 0) call execute_command_line("wc -c a.txt")
   end do
end program unbuffered
