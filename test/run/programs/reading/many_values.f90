program many_values
   implicit none
   integer :: i, k
   real(8) :: x(5000), y(5000)
   call random_init(.true., .true.)
   x = [(sin(i * 1d0) * 10d0**mod(i, 30), i = 1, 5000)]
   open (10, file="a.txt")
   write (10, *) x
   write (10, "(10e24.16)") x
   write (10, "(es12.4)") x
   rewind (10)
   do k = 1, 2
      if (k == 1) read (10, *) y
      if (k == 2) read (10, "(10e24.16)") y
      write (*, *) count(abs(x - y) > 0), transfer(y(k * 7), 1_8), sum(y)
   end do
   do i = 1, 5000
      read (10, *) y(i)
   end do
   write (*, "(z16)") y(1:5000:50)
end program many_values
