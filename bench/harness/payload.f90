!> The data that the mechanisms transfer: reproducible, incompressible, verified. Next: harness.f90.
!>
!> A block of 1,000,003 values from a seeded generator (Marsaglia's xorshift64) is repeated. The
!> length is a prime, so a piece of a file in the wrong place never lines up with the values that
!> belong there.
module harness_payload
   use, intrinsic :: iso_fortran_env, only : int32, int64, real64
   implicit none
   private

   public :: make_payload, fill, first_difference, expected_real, expected_integer, &
      & collect_expected, text_distribution

   !> How the real64 values are distributed: their digits set the cost of text
   character(len=*), parameter :: text_distribution = &
      & "real64: uniform in 1..10 with 52 random bits, times 10**k, k uniform in -3..3, " // &
      & "one in five negative; int32: uniform in 0..2**31-1, one in five negative"

   integer, parameter :: period = 1000003

   real(real64), parameter :: powers(0:6) = [1e-3_real64, 1e-2_real64, 1e-1_real64, 1e0_real64, &
      & 1e1_real64, 1e2_real64, 1e3_real64]

   real(real64), allocatable :: reals(:)
   integer(int32), allocatable :: integers(:)

   interface fill
      module procedure :: fill_real, fill_integer
   end interface fill

   !> Position of the first value that differs from what was written, 0 when all agree
   interface first_difference
      module procedure :: first_difference_real, first_difference_integer
   end interface first_difference

contains

!> Generate the block that all arrays repeat
subroutine make_payload(seed)
   integer(int64), intent(in) :: seed
   integer(int64) :: state
   integer :: i, warm_up
   real(real64) :: mantissa

   state = ieor(seed, 88172645463325252_int64)
   if (state == 0) state = 88172645463325252_int64
   do warm_up = 1, 20
      call advance(state)
   end do
   allocate(reals(period), integers(period))
   do i = 1, period
      call advance(state)
      mantissa = transfer(ior(ishft(state, -12), ishft(1023_int64, 52)), 1.0_real64) - 1
      integers(i) = int(ishft(state, -33), int32)
      call advance(state)
      reals(i) = (1 + 9 * mantissa) * powers(int(modulo(ishft(state, -8), 7_int64)))
      if (modulo(i, 5) == 0) then
         reals(i) = -reals(i)
         integers(i) = -integers(i)
      end if
   end do
end subroutine make_payload

subroutine advance(state)
   integer(int64), intent(inout) :: state

   state = ieor(state, ishft(state, 13))
   state = ieor(state, ishft(state, -7))
   state = ieor(state, ishft(state, 17))
end subroutine advance

!> Fill `array` with the payload from value `offset` + 1 on
subroutine fill_real(array, offset)
   real(real64), intent(out) :: array(:)
   integer(int64), intent(in) :: offset
   integer(int64) :: first, last, inside

   first = 1
   do while (first <= size(array, kind=int64))
      inside = modulo(offset + first - 1, int(period, int64))
      last = min(size(array, kind=int64), first + period - inside - 1)
      array(first:last) = reals(inside + 1:inside + 1 + last - first)
      first = last + 1
   end do
end subroutine fill_real

!> Fill `array` with the payload from value `offset` + 1 on
subroutine fill_integer(array, offset)
   integer(int32), intent(out) :: array(:)
   integer(int64), intent(in) :: offset
   integer(int64) :: i

   do i = 1, size(array, kind=int64)
      array(i) = expected_integer(offset + i)
   end do
end subroutine fill_integer

!> For mechanisms that read nothing: what the harness expects is put there
subroutine collect_expected(array)
   real(real64), intent(inout) :: array(:)

   call fill(array, 0_int64)
end subroutine collect_expected

!> The value that stands at `position` (1, 2, ...) of a real64 array
pure real(real64) function expected_real(position) result(value)
   integer(int64), intent(in) :: position

   value = reals(modulo(position - 1, int(period, int64)) + 1)
end function expected_real

!> The value that stands at `position` (1, 2, ...) of an int32 array
pure integer(int32) function expected_integer(position) result(value)
   integer(int64), intent(in) :: position

   value = integers(modulo(position - 1, int(period, int64)) + 1)
end function expected_integer

!> `tolerance` is relative; 0 asks for equality (text with few digits cannot be exact)
integer(int64) function first_difference_real(array, offset, tolerance) result(position)
   real(real64), intent(in) :: array(:)
   integer(int64), intent(in) :: offset
   real(real64), intent(in) :: tolerance
   integer(int64) :: first, last, inside, i

   position = 0
   first = 1
   do while (first <= size(array, kind=int64))
      inside = modulo(offset + first - 1, int(period, int64))
      last = min(size(array, kind=int64), first + period - inside - 1)
      do i = first, last
         ! the negated comparison catches NaN as well
         if (.not. abs(array(i) - reals(inside + 1 + i - first)) <= tolerance * abs(array(i))) then
            position = i
            return
         end if
      end do
      first = last + 1
   end do
end function first_difference_real

integer(int64) function first_difference_integer(array, offset) result(position)
   integer(int32), intent(in) :: array(:)
   integer(int64), intent(in) :: offset

   do position = 1, size(array, kind=int64)
      if (array(position) /= expected_integer(offset + position)) return
   end do
   position = 0
end function first_difference_integer

end module harness_payload
