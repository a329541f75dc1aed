! One number in the I/O list of a WRITE to a character variable: plain ones first, then what does not fit, is no number that all
! edit descriptors take, or comes with more.
program one_number_written
   use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
   use, intrinsic :: ieee_arithmetic, only: ieee_value, ieee_quiet_nan, ieee_positive_inf, ieee_negative_inf, ieee_get_flag, &
      ieee_set_flag, ieee_inexact
   implicit none
   integer, parameter :: n = 60
   integer(int64) :: whole(n)
   real(real64) :: x(n)
   integer :: i
   whole = [(int(i, int64)**5*(-1)**i, i=1, n)]
   whole(31:48) = [0_int64, 9_int64, -9_int64, 99999999_int64, 100000000_int64, -99999999_int64, -100000000_int64, &
      999999999999999_int64, 1000000000000000_int64, -999999999999999_int64, -1000000000000000_int64, huge(1_int64), &
      -huge(1_int64), -huge(1_int64) - 1, huge(1_int32) + 0_int64, -1_int64 - huge(1_int32), 128_int64, -129_int64]
   x = [(real(i, real64)**3/7*(-1)**i, i=1, n)]
   x(31:48) = [0.0_real64, -0.0_real64, 0.0005_real64, -0.0004_real64, 999.9995_real64, 9999.9995_real64, -999.9994_real64, &
      1e10_real64, 1e300_real64, 1e-300_real64, 0.0_real64, 2.2250738585072009e-308_real64, tiny(1.0_real64), &
      huge(1.0_real64), 0.5_real64, 2.5_real64, 1e16_real64, 1.0_real64]
   x(49) = ieee_value(x(1), ieee_quiet_nan)
   x(50) = ieee_value(x(1), ieee_positive_inf)
   x(51) = ieee_value(x(1), ieee_negative_inf)
   x(41) = nearest(x(31), 1.0_real64)
   open (10, file="out.txt")
   call integers()
   call reals()
   call others()
contains
   subroutine integers()
      character(32) :: text
      character(7) :: short
      character(1) :: one
      character(200) :: long
      integer :: i, stat
      do i = 1, n
         text = repeat("?", 32)
         short = "???????"
         long = repeat("?", 200)
         write (text, "(i0)", iostat=stat) whole(i)
         write (10, "(3a,i0)") "[", text, "]", stat
         write (text, "(i12)", iostat=stat) whole(i)
         write (10, "(3a,i0)") "[", text, "]", stat
         write (text, "(i16)", iostat=stat) whole(i)
         write (10, "(3a,i0)") "[", text, "]", stat
         write (text, "(i20)", iostat=stat) whole(i)
         write (10, "(3a,i0)") "[", text, "]", stat
         write (text, "(i8.4)", iostat=stat) whole(i)
         write (10, "(3a,i0)") "[", text, "]", stat
         write (text, "(sp,i8)", iostat=stat) whole(i)
         write (10, "(3a,i0)") "[", text, "]", stat
         write (text, "(i6)", iostat=stat) int(mod(whole(i), 100000_int64), int32)
         write (10, "(3a,i0)") "[", text, "]", stat
         write (text, "(i0)", iostat=stat) int(mod(whole(i), 30000_int64), int16)
         write (10, "(3a,i0)") "[", text, "]", stat
         write (text, "(i3)", iostat=stat) int(mod(whole(i), 128_int64), int8)
         write (10, "(3a,i0)") "[", text, "]", stat
         write (text, *, iostat=stat) int(mod(whole(i), 100000_int64), int32)
         write (10, "(3a,i0)") "[", text, "]", stat
         write (text, *, iostat=stat) whole(i)
         write (10, "(3a,i0)") "[", text, "]", stat
         write (short, "(i0)", iostat=stat) whole(i)
         write (10, "(3a,i0)") "[", short, "]", stat
         write (short, *, iostat=stat) int(mod(whole(i), 100_int64), int8)
         write (10, "(3a,i0)") "[", short, "]", stat
         write (one, "(i1)", iostat=stat) int(mod(whole(i), 10_int64))
         write (10, "(3a,i0)") "[", one, "]", stat
         write (long, "(i0)", iostat=stat) whole(i)
         write (10, "(3a,i0)") "[", long, "]", stat
      end do
   end subroutine integers

   subroutine reals()
      character(40) :: text
      character(8) :: short
      integer :: i, stat
      logical :: is_inexact
      do i = 1, n
         text = repeat("?", 40)
         write (text, "(f8.3)", iostat=stat) x(i)
         write (10, "(3a,i0)") "[", text, "]", stat
         write (text, "(f0.2)", iostat=stat) x(i)
         write (10, "(3a,i0)") "[", text, "]", stat
         write (text, "(es22.14)", iostat=stat) x(i)
         write (10, "(3a,i0)") "[", text, "]", stat
         write (text, "(e12.4)", iostat=stat) real(max(-1e30_real64, min(1e30_real64, x(i))), real32)
         write (10, "(3a,i0)") "[", text, "]", stat
         write (text, "(1pe14.5)", iostat=stat) x(i)
         write (10, "(3a,i0)") "[", text, "]", stat
         write (text, "(g15.6)", iostat=stat) x(i)
         write (10, "(3a,i0)") "[", text, "]", stat
         write (text, "(g0)", iostat=stat) x(i)
         write (10, "(3a,i0)") "[", text, "]", stat
         write (text, "(en16.5)", iostat=stat) x(i)
         write (10, "(3a,i0)") "[", text, "]", stat
         write (short, "(f8.3)", iostat=stat) x(i)
         write (10, "(3a,i0)") "[", short, "]", stat
         write (short, "(f9.3)", iostat=stat) x(i)
         write (10, "(3a,i0)") "[", short, "]", stat
         call ieee_set_flag(ieee_inexact, .false.)
         write (text, *, iostat=stat) x(i)
         call ieee_get_flag(ieee_inexact, is_inexact)
         write (10, "(3a,l1)") "[", text, "]", is_inexact
         call ieee_set_flag(ieee_inexact, .false.)
         write (text, "(f12.4)", iostat=stat) x(i)
         call ieee_get_flag(ieee_inexact, is_inexact)
         write (10, "(3a,l1)") "[", text, "]", is_inexact
      end do
   end subroutine reals

   ! The same statement with none, one or two items, or one of another type
   subroutine others()
      character(24) :: text
      character(24) :: both(2)
      character(4) :: word
      integer :: i, k, stat
      do i = 1, n
         text = repeat("?", 24)
         both = text
         k = merge(1, mod(i, 4), i < 25)
         write (text, "(i6)", iostat=stat) (whole(k), k=1, k)
         write (10, "(3a,i0)") "[", text, "]", stat
         k = merge(1, mod(i, 4), i < 25)
         write (text, *, iostat=stat) (int(mod(whole(k), 1000_int64)), k=1, k)
         write (10, "(3a,i0)") "[", text, "]", stat
         k = merge(1, mod(i, 4), i < 25)
         write (both, "(i6)", iostat=stat) (whole(k), k=1, k)
         write (10, "(5a,i0)") "[", both(1), "][", both(2), "]", stat
         write (text, "(i8)", iostat=stat) nested(i)
         write (10, "(3a,i0)") "[", text, "]", stat
         word = "a" // achar(10) // "c"
         write (text, "(a)") word(1:1 + mod(i, 4))
         write (10, "(3a)") "[", text, "]"
         write (text, "(l3)") mod(i, 3) == 0
         write (10, "(3a)") "[", text, "]"
         write (text, "(z8)") i
         write (10, "(3a)") "[", text, "]"
         write (text, *, iostat=stat) cmplx(i, -i)
         write (10, "(3a)") "[", text, "]"
      end do
      ! A variable that is part of itself
      do i = 1, n
         text = "12345678901234567890"
         call own(text, i)
         write (10, "(3a)") "[", text, "]"
      end do
   end subroutine others

   subroutine own(text, i)
      character(24), intent(inout) :: text
      integer, intent(in) :: i
      write (text(3:10), "(i4)") len_trim(text) + i
      write (text(5:), *) i
   end subroutine own

   integer function nested(i) result(value)
      integer, intent(in) :: i
      character(12) :: inner
      write (inner, "(i0)") i*3
      read (inner, *) value
      if (mod(i, 7) == 0) write (10, *) "inside", value
   end function nested
end program one_number_written
