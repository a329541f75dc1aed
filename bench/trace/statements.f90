! Loops of I/O statements for `headrace bench trace`, which runs each with and without the tracer.
!
!     statements CASE BLOCKS FILE
!
! Runs BLOCKS blocks of the case and prints: statements or items of a block, seconds of all blocks,
! processor seconds.
program statements
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
  integer, parameter :: many = 100000
  character(32) :: kind, number
  character(4096) :: file
  integer :: blocks, counted, block
  integer(int64) :: begun, ended, rate
  real(real64) :: processor_begun, processor_ended

  call get_command_argument(1, kind)
  call get_command_argument(2, number)
  call get_command_argument(3, file)
  read (number, *) blocks
  select case (kind)
  case ("element", "items", "stencil")
    call run("unformatted", "sequential")
  case ("stream")
    call run("unformatted", "stream")
  case ("formatted", "list", "list_read", "internal")
    call run("formatted", "sequential")
  case default
    error stop "no such case"
  end select
  print "(i0, 2(1x, es24.16))", counted, real(ended - begun, real64) / real(rate, real64), &
    processor_ended - processor_begun

contains

  subroutine run(form, access)
    character(*), intent(in) :: form, access
    open (10, file=trim(file), form=form, access=access, status="replace")
    counted = many
    call prepare()
    call cpu_time(processor_begun)
    call system_clock(begun, rate)
    do block = 1, blocks
      rewind (10)
      call one_block()
    end do
    call system_clock(ended)
    call cpu_time(processor_ended)
    close (10, status="delete")
  end subroutine run

  subroutine one_block()
    select case (kind)
    case ("element", "stream")
      call element()
    case ("formatted")
      call formatted()
    case ("list")
      call list()
    case ("list_read")
      call list_read()
    case ("internal")
      call internal()
    case ("items")
      call items()
    case ("stencil")
      call stencil()
    case default
      error stop "no such case"
    end select
  end subroutine one_block

  ! What list_read reads
  subroutine prepare()
    integer :: i
    if (kind /= "list_read") return
    do i = 1, many
      write (10, *) i
    end do
  end subroutine prepare

  subroutine element()
    integer :: i
    do i = 1, many
      write (10) i
    end do
  end subroutine element

  subroutine formatted()
    integer :: i
    real(real64) :: x
    x = 1.2345678901234567_real64
    do i = 1, many
      write (10, "(es22.14)") x
      x = x * 1.0001_real64
    end do
  end subroutine formatted

  subroutine list()
    integer :: i
    real(real64) :: x
    x = 1.2345678901234567_real64
    do i = 1, many
      write (10, *) i, x
    end do
  end subroutine list

  subroutine list_read()
    integer :: i, found
    do i = 1, many
      read (10, *) found
      if (found /= i) error stop "read wrongly"
    end do
  end subroutine list_read

  subroutine internal()
    integer :: i
    character(16) :: text
    do i = 1, many
      write (text, "(i0)") i
    end do
    if (text /= "100000") error stop "written wrongly"
  end subroutine internal

  ! Items that no compiler makes one of: functions' results
  subroutine items()
    integer :: i
    write (10) (twice(i), i=1, many)
  end subroutine items

  integer function twice(i)
    integer, intent(in) :: i
    twice = 2 * i
  end function twice

  ! A program that computes and writes now and then: a field every 20 steps, a record a step
  subroutine stencil()
    integer, parameter :: n = 1000, steps = 20
    real(real64), allocatable, save :: field(:, :), next(:, :), other(:, :)
    integer :: step, j
    if (.not. allocated(field)) then
      allocate (field(n, n), next(n, n), source=0.0_real64)
      field(n / 2, n / 2) = 1
    end if
    counted = steps
    do step = 1, steps
      do j = 2, n - 1
        next(2:n - 1, j) = 0.2_real64 * (field(2:n - 1, j) + field(1:n - 2, j) + field(3:n, j) + &
                                         field(2:n - 1, j - 1) + field(2:n - 1, j + 1))
      end do
      call move_alloc(field, other)
      call move_alloc(next, field)
      call move_alloc(other, next)
      write (10) step, maxval(field(:, n / 2))
    end do
    write (10) field
  end subroutine stencil
end program statements
