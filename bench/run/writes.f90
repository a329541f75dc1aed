! WRITE as programs have it: to a file, and to text in memory. First: statements.f90.
module run_writes
  use run_data, only: real64, many, rows, x, table, numbers, texts, counted, fresh
  implicit none
  private
  public :: write_block, internal_block

contains

  ! A block of a case that writes a file; false if there is no such case.
  logical function write_block(kind)
    character(*), intent(in) :: kind
    integer :: unit
    write_block = .true.
    call fresh(unit)
    counted = many
    select case (kind)
    case ("write_e15_row", "write_e15_whole", "write_es24_row", "write_mixed", "write_csv", &
          "write_list_row")
      counted = rows
      call write_rows(kind, unit)
    case ("write_es22")
      call write_es22(unit)
    case ("write_log")
      call write_log(unit)
    case ("write_list")
      call write_list(unit)
    case ("write_list_pair")
      call write_list_pair(unit)
    case ("write_list_whole")
      write (unit, *) x
    case ("write_i0")
      call write_i0(unit)
    case ("write_list_integer")
      call write_list_integer(unit)
    case ("write_a")
      call write_a(unit)
    case default
      write_block = .false.
    end select
    close (unit)
  end function write_block

  subroutine write_rows(kind, unit)
    character(*), intent(in) :: kind
    integer, intent(in) :: unit
    integer :: i, m
    select case (kind)
    case ("write_e15_row")
      do i = 1, rows
        write (unit, "(10e15.5)") (table(m, i), m=1, 10)
      end do
    case ("write_e15_whole")
      write (unit, "(10e15.5)") table
    case ("write_es24_row")
      do i = 1, rows
        write (unit, "(3es24.16e3)") table(1:3, i)
      end do
    case ("write_mixed")
      do i = 1, rows
        write (unit, "(i8, 5f12.5)") i, (table(m, i), m=1, 5)
      end do
    case ("write_csv")
      do i = 1, rows
        write (unit, '(*(g0, :, ","))') i, table(1:4, i)
      end do
    case default
      do i = 1, rows
        write (unit, *) table(1:3, i)
      end do
    end select
  end subroutine write_rows

  subroutine write_es22(unit)
    integer, intent(in) :: unit
    integer :: i
    do i = 1, many
      write (unit, "(es22.14)") x(i)
    end do
  end subroutine write_es22

  subroutine write_log(unit)
    integer, intent(in) :: unit
    integer :: i
    do i = 1, many
      write (unit, "(a, i8, a, f12.6, a, es12.4)") &
        " step ", i, "  t= ", x(i), "  err ", x(many + 1 - i)
    end do
  end subroutine write_log

  subroutine write_list(unit)
    integer, intent(in) :: unit
    integer :: i
    do i = 1, many
      write (unit, *) x(i)
    end do
  end subroutine write_list

  subroutine write_list_pair(unit)
    integer, intent(in) :: unit
    integer :: i
    do i = 1, many
      write (unit, *) i, x(i)
    end do
  end subroutine write_list_pair

  subroutine write_i0(unit)
    integer, intent(in) :: unit
    integer :: i
    do i = 1, many
      write (unit, "(i0)") numbers(i)
    end do
  end subroutine write_i0

  subroutine write_list_integer(unit)
    integer, intent(in) :: unit
    integer :: i
    do i = 1, many
      write (unit, *) numbers(i)
    end do
  end subroutine write_list_integer

  subroutine write_a(unit)
    integer, intent(in) :: unit
    integer :: i
    do i = 1, many
      write (unit, "(a)") "some text of a line"
    end do
  end subroutine write_a

  ! A block of a case that writes text in memory; false if there is no such case.
  logical function internal_block(kind)
    character(*), intent(in) :: kind
    character(8), parameter :: names(0:3) = [character(8) :: "head", "pressure", "q", "flow"]
    integer :: i
    internal_block = .true.
    counted = many
    select case (kind)
    case ("internal_i0")
      do i = 1, many
        write (texts(iand(i, 1023)), "(i0)") numbers(i)
      end do
    case ("internal_f8")
      do i = 1, many
        write (texts(iand(i, 1023)), "(f8.3)") mod(x(i), 100.0_real64)
      end do
    case ("internal_list")
      do i = 1, many
        write (texts(iand(i, 1023)), *) x(i)
      end do
    case ("internal_a")
      do i = 1, many
        write (texts(iand(i, 1023)), "(a16)") names(iand(i, 3))
      end do
    case ("internal_label")
      do i = 1, many
        write (texts(iand(i, 1023)), "(a,i0,a)") trim(names(iand(i, 3))), numbers(i), ".txt"
      end do
    case ("internal_mixed")
      do i = 1, many
        write (texts(iand(i, 1023)), "(i8,f8.3,es14.6)") numbers(i), mod(x(i), 100.0_real64), x(i)
      end do
    case default
      internal_block = .false.
    end select
  end function internal_block
end module run_writes
