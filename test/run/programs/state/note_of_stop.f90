!run: errors
program note_of_stop
   implicit none
   integer :: i
   real(8) :: x
   x = 1d-300
   open (10, file="a.txt")
   do i = 1, 20
      x = x * 1d-1
      write (10, *) x
      write (10, "(es14.5)") x / 3
   end do
   x = 0
   write (10, *) 1 / x
   stop
end program note_of_stop
