!run: flags -fcheck=all -g
!run: errors
!run: exit 2
program out_of_bounds
   implicit none
   integer :: i, n
   real :: x(100)
   x = 1
   n = 0
   open (10, file="a.txt")
   do i = 1, 101
      n = n + 1
      write (10, "(i5,f8.3)") i, x(n)
   end do
end program out_of_bounds
