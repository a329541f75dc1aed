! Two OpenMP threads that write; without OpenMP the same work is done by one. First: statements.f90.
module run_threads
  use run_data, only: many, x, texts, file, counted, fresh
  implicit none
  private
  public :: threads_block

  integer, parameter :: threads = 2

contains

  ! A block of a case; false if there is no such case.
  logical function threads_block(kind)
    character(*), intent(in) :: kind
    threads_block = .true.
    counted = threads * many
    select case (kind)
    case ("threads_own_units")
      call own_units()
    case ("threads_one_unit")
      call one_unit()
    case ("threads_internal")
      call internal()
    case default
      threads_block = .false.
    end select
  end function threads_block

  ! The first thread writes the file that is compared, the other one a scratch file
  subroutine own_units()
    integer :: thread, unit, i
    !$omp parallel do num_threads(threads) schedule(static, 1) private(unit, i)
    do thread = 1, threads
      if (thread == 1) then
        call fresh(unit)
      else
        open (newunit=unit, status="scratch")
      end if
      do i = 1, many
        write (unit, "(es22.14)") x(i)
      end do
      close (unit)
    end do
    !$omp end parallel do
  end subroutine own_units

  ! Equal records, so that the file is the same in whatever order the threads come
  subroutine one_unit()
    integer :: thread, unit, i
    call fresh(unit)
    !$omp parallel do num_threads(threads) schedule(static, 1) private(i)
    do thread = 1, threads
      do i = 1, many
        write (unit, "(es22.14)") x(1)
      end do
    end do
    !$omp end parallel do
    close (unit)
  end subroutine one_unit

  subroutine internal()
    integer :: thread, i
    !$omp parallel do num_threads(threads) schedule(static, 1) private(i)
    do thread = 1, threads
      do i = 1, many
        write (texts(512 * (thread - 1) + iand(i, 511)), "(f12.5)") x(i)
      end do
    end do
    !$omp end parallel do
  end subroutine internal
end module run_threads
