!run: flags -ffpe-trap=invalid,zero,overflow
! Traps that the run time's arithmetic on these numbers never meets: written and read to the end, and what raises a flag with them.
program trapped_numbers
   use, intrinsic :: ieee_arithmetic
   use, intrinsic :: iso_fortran_env, only: int64, real32, real64
   implicit none
   integer, parameter :: n = 300
   real(real64) :: x(n), back(n)
   real(real32) :: narrow(n)
   logical :: raised(5)
   integer :: i, status
   character(len=30) :: text

   do i = 1, n
      x(i) = set_exponent(1 + i / 7.0_real64, 6 * (i - 150))
      narrow(i) = real(scale(1 + i / 7.0_real32, mod(i, 200) - 100))
   end do
   x(5:n:40) = transfer(ishft(2047_int64, 52), x(1))
   x(6:n:40) = transfer(not(0_int64), x(1))
   x(7:n:40) = transfer(ishft(1_int64, 44), x(1))
   open (10, file="a.txt")
   do i = 1, n
      write (10, "(es24.16e3,g14.5,f12.3,1x,g0)") x(i), narrow(i), i * 0.1_real64, narrow(i)
      write (10, *) x(i), narrow(i)
      write (text, "(g24.16e3)") x(i)
      write (10, "(a)") text
   end do
   write (10, "(4g20.12e3)") x
   close (10)
   call ieee_get_flag(ieee_all, raised)
   write (*, *) raised

   open (11, file="b.txt")
   do i = 1, n
      if (ieee_is_finite(x(i))) write (11, "(es24.16e3)") x(i)
   end do
   write (11, "(a)") "1e-400", "1e-320", "0e999"
   rewind (11)
   do i = 1, n
      read (11, *, iostat=status) back(i)
      if (status /= 0) exit
      write (*, "(z16.16)") back(i)
   end do
   write (*, *) i, status
   call ieee_get_flag(ieee_all, raised)
   write (*, *) raised
end program trapped_numbers
