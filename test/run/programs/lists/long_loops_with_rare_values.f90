! Loops so long that statements take the short ways, and values that these leave to the long ones.
program long_loops_with_rare_values
   use, intrinsic :: ieee_arithmetic
   use, intrinsic :: ieee_exceptions
   use, intrinsic :: iso_fortran_env, only: int8, int16, int64, real32, real64
   implicit none
   integer, parameter :: rounds = 700
   character(*), parameter :: text = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKL"
   character(12) :: form
   character(:), allocatable :: made
   real(real64) :: row(5), rare(8)
   real(real32) :: singles(7)
   integer :: i, k, status
   logical :: flags(5)

   rare = [0d0, -0d0, tiny(1d0), 4.9406564584124654d-324, 1d-310, huge(1d0), 0d0, 0d0]
   rare(7) = ieee_value(1d0, ieee_quiet_nan)
   rare(8) = ieee_value(1d0, ieee_positive_inf)
   call ieee_set_flag(ieee_all, .false.)
   open (10, file="a.txt")
   do i = 1, rounds
      write (10, "(es22.14)") value_of(i)
   end do
   do i = 1, rounds
      row = [(value_of(i + k), k=1, 5)]
      write (10, "(5es24.16e3)") row
   end do
   do i = 1, rounds
      row = [(value_of(i + k), k=1, 5)]
      write (10, "(2f9.2,3e12.4)") row(:2), row(3:)
   end do
   do i = 1, rounds
      singles = real(min(max(value_of(i), -1d30), 1d30) * [(k, k=1, 7)], real32)
      write (10, "(7es14.6)") singles
      write (10, *) singles(2), singles(::3)
   end do
   do i = 1, rounds
      write (10, *) value_of(i)
      write (10, "(i0,a,l2)") i, text(:mod(i, 48)), mod(i, 3) == 0
   end do
   do k = 0, 48
      do i = 1, 40
         write (10, "(a)") text(:k)
      end do
   end do
   do i = 1, rounds
      write (10, "(3i12)") int(mod(i, 100), int8), int(i, int16), int(i, int64)**5
      write (10, "(l1,l3)") logical(mod(i, 2) == 0, 1), mod(i, 5) == 0
      write (10, "(a,2f7.3,a)", iostat=status) "(", cmplx(i, -i) / 700, ")"
   end do
   ! A format that changes in its place, and one that lies in memory of its own
   form = "(f12.4)"
   made = "(2i9)"
   do i = 1, rounds
      if (mod(i, 50) == 0) form = merge("(es12.4)", "(f12.5) ", mod(i, 100) == 0)
      write (10, form) real(i, real64) / 7
      write (10, made) i, i * i
      if (i == 300) made = "(2i7)"
   end do
   ! Two units in turn, and a statement of another kind now and then
   open (11, file="b.txt")
   do i = 1, rounds
      write (10, "(i8,f12.5)", iostat=status) i, value_of(2 * i)
      write (11, "(i8,f12.5)") i, value_of(3 * i)
      if (mod(i, 97) == 0) flush (11)
      if (mod(i, 90) == 0) write (10, "(a)", advance="no") "part "
   end do
   call ieee_get_flag(ieee_all, flags)
   write (10, *) flags
   write (10, "(a,i0)") "status ", status
   close (10)
   close (11)

contains

   real(real64) function value_of(n)
      integer, intent(in) :: n
      value_of = (n - 350) * 1.37d0**mod(n, 60)
      if (mod(n, 41) == 0) value_of = rare(mod(n / 41, 8) + 1)
   end function value_of
end program long_loops_with_rare_values
