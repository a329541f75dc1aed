! What the cases of `headrace bench run` share: values, files, and what was counted.
! First: statements.f90.
module run_data
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
  private
  public :: real64, many, rows, few, x, y, table, numbers, texts, file, counted
  public :: fill, fresh, again, anywhere, contents

  integer, parameter :: many = 50000, rows = 10000, few = 5000
  real(real64), allocatable :: x(:), y(:), table(:, :)
  integer, allocatable :: numbers(:)
  ! Internal files: as many as stay in the cache, so that what was written can be compared
  character(32) :: texts(0:1023) = ""
  character(4096) :: file
  ! Statements of a block
  integer :: counted = 0

contains

  ! Both signs and nine orders of magnitude; the same in every run.
  subroutine fill()
    integer(int64) :: state
    integer :: i
    allocate (x(many), y(many), table(10, rows), source=0.0_real64)
    allocate (numbers(many))
    state = 20250101
    do i = 1, many
      state = mod(state * 48271_int64, 2147483647_int64)
      x(i) = (real(state, real64) / 2147483647 - 0.3_real64) * 10.0_real64**(mod(i, 9) - 3)
      numbers(i) = i * 37 - 900000
    end do
    table = reshape(x, [10, rows], pad=-x)
  end subroutine fill

  ! A new file on a new unit
  subroutine fresh(unit)
    integer, intent(out) :: unit
    open (newunit=unit, file=trim(file), status="replace", action="write")
  end subroutine fresh

  ! The file that was written before the clock ran
  subroutine again(unit)
    integer, intent(out) :: unit
    open (newunit=unit, file=trim(file), status="old", action="read")
  end subroutine again

  ! All rows, each once, in an order in which none is near the one before
  integer function anywhere(i)
    integer, intent(in) :: i
    anywhere = 1 + mod(7919 * i, rows)
  end function anywhere

  ! Of everything that a case may have read or written in memory
  function contents() result(sum)
    integer(int64) :: sum
    integer :: i, j
    sum = 0
    do i = 1, many
      sum = ieor(ishftc(sum, 1), ieor(transfer(y(i), sum), int(numbers(i), int64)))
    end do
    do j = 1, rows
      do i = 1, 10
        sum = ieor(ishftc(sum, 1), transfer(table(i, j), sum))
      end do
    end do
    do j = 0, ubound(texts, 1)
      do i = 1, len(texts)
        sum = ieor(ishftc(sum, 1), int(ichar(texts(j) (i:i)), int64))
      end do
    end do
  end function contents
end module run_data
