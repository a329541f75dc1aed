program special_reals_under_every_edit
   use, intrinsic :: ieee_arithmetic
   implicit none
   character(12), parameter :: edits(16) = [character(12) :: "(f10.3)", "(f0.3)", "(f3.0)", "(e15.6)", "(e10.3e3)", &
      "(es14.6)", "(en14.6)", "(d14.6)", "(g14.6)", "(g0)", "(g0.4)", "(f2.0)", "(e6.1)", "(es25.17e3)", "(ex20.8)", "(f25.20)"]
   real(8) :: x(14)
   real(4) :: y(14)
   integer :: i, j
   x(1) = ieee_value(1d0, ieee_positive_inf)
   x(2) = ieee_value(1d0, ieee_negative_inf)
   x(3) = ieee_value(1d0, ieee_quiet_nan)
   x(4) = 0
   x(5) = -x(4)
   x(6) = tiny(1d0)
   x(7) = transfer(1_8, 1d0)
   x(8) = huge(1d0)
   x(9) = -huge(1d0)
   x(10:14) = [0.5d0, 1.5d0, 2.5d0, 0.05d0, 9.9999999999999995d0]
   y = real(max(min(x, 3d38), -3d38))
   y(3) = ieee_value(1.0, ieee_quiet_nan)
   y(7) = transfer(1, 1.0)
   open (10, file="special.txt")
   do j = 1, size(edits)
      if (edits(j)(2:3) == "ex") cycle
      do i = 1, size(x)
         write (10, edits(j)) x(i)
         write (10, edits(j)) y(i)
      end do
      write (10, edits(j)) x, y
   end do
end program special_reals_under_every_edit
