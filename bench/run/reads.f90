! READ as programs have it: from a file that was written before the clock runs, and from text in
! memory. First: statements.f90.
module run_reads
  use, intrinsic :: iso_fortran_env, only: iostat_end, iostat_eor
  use run_data, only: file, many, rows, x, y, table, numbers, texts, counted, fresh, again, anywhere
  implicit none
  private
  public :: prepare_read, read_block, internal_read_block

contains

  ! Write what a case reads.
  subroutine prepare_read(kind)
    character(*), intent(in) :: kind
    integer :: unit, i
    if (kind == "read_stream" .or. kind == "read_direct" .or. kind == "read_direct_any") then
      open (newunit=unit, file=trim(file), status="replace", action="write", form="unformatted", &
            access="stream")
      write (unit) x
      close (unit)
      return
    end if
    call fresh(unit)
    select case (kind)
    case ("read_list", "read_list_to_end", "read_list_whole")
      do i = 1, many
        write (unit, *) x(i)
      end do
    case ("read_es22", "read_no_advance")
      do i = 1, many
        write (unit, "(es22.14)") x(i)
      end do
    case ("read_e15_row")
      write (unit, "(10e15.5)") table
    case ("read_list_row")
      do i = 1, rows
        write (unit, *) table(1:3, i)
      end do
    case ("read_a", "read_lines")
      do i = 1, many
        write (unit, "(a)") "some text of a line"
      end do
    case default
      do i = 0, ubound(texts, 1)
        write (texts(i), "(i8)") i * 37 - 9000
      end do
    end select
    close (unit)
    table = 0
  end subroutine prepare_read

  ! A block of a case that reads a file; false if there is no such case.
  logical function read_block(kind)
    character(*), intent(in) :: kind
    integer :: unit
    read_block = .true.
    call again(unit)
    counted = many
    select case (kind)
    case ("read_list")
      call read_list(unit)
    case ("read_list_to_end")
      call read_list_to_end(unit)
    case ("read_list_whole")
      read (unit, *) y
    case ("read_list_row")
      call read_list_row(unit)
    case ("read_es22")
      call read_es22(unit)
    case ("read_e15_row")
      call read_e15_row(unit)
    case ("read_no_advance")
      call read_no_advance(unit)
    case ("read_stream")
      call read_stream(unit)
    case ("read_direct", "read_direct_any")
      close (unit)
      call read_direct(unit, kind == "read_direct_any")
    case ("read_a")
      call read_a(unit)
    case ("read_lines")
      call read_lines(unit)
    case default
      read_block = .false.
    end select
    close (unit)
  end function read_block

  subroutine read_stream(unit)
    integer, intent(inout) :: unit
    integer :: i
    close (unit)
    open (newunit=unit, file=trim(file), status="old", action="read", form="unformatted", &
          access="stream")
    do i = 1, many
      read (unit) y(i)
    end do
  end subroutine read_stream

  subroutine read_direct(unit, is_anywhere)
    integer, intent(out) :: unit
    logical, intent(in) :: is_anywhere
    integer :: i
    open (newunit=unit, file=trim(file), status="old", action="read", form="unformatted", &
          access="direct", recl=merge(80, 8, is_anywhere))
    if (is_anywhere) then
      do i = 1, many / 10
        read (unit, rec=1 + mod(anywhere(i), many / 10)) table(:, i)
      end do
      counted = many / 10
    else
      do i = 1, many
        read (unit, rec=i) y(i)
      end do
    end if
  end subroutine read_direct

  subroutine read_list(unit)
    integer, intent(in) :: unit
    integer :: i
    do i = 1, many
      read (unit, *) y(i)
    end do
  end subroutine read_list

  ! Nobody knows how many there are.
  subroutine read_list_to_end(unit)
    integer, intent(in) :: unit
    integer :: i, status
    do i = 1, many + 1
      read (unit, *, iostat=status) y(min(i, many))
      if (status == iostat_end) exit
    end do
    if (i /= many + 1) error stop "read_list_to_end: another number of records"
  end subroutine read_list_to_end

  subroutine read_list_row(unit)
    integer, intent(in) :: unit
    integer :: i
    counted = rows
    do i = 1, rows
      read (unit, *) table(1:3, i)
    end do
  end subroutine read_list_row

  subroutine read_es22(unit)
    integer, intent(in) :: unit
    integer :: i
    do i = 1, many
      read (unit, "(es22.14)") y(i)
    end do
  end subroutine read_es22

  subroutine read_e15_row(unit)
    integer, intent(in) :: unit
    integer :: i
    counted = rows
    do i = 1, rows
      read (unit, "(10e15.5)") table(:, i)
    end do
  end subroutine read_e15_row

  subroutine read_no_advance(unit)
    integer, intent(in) :: unit
    integer :: i
    do i = 1, many
      read (unit, "(es22.14)", advance="no") y(i)
      read (unit, "()")
    end do
    counted = 2 * many
  end subroutine read_no_advance

  subroutine read_a(unit)
    integer, intent(in) :: unit
    integer :: i
    do i = 1, many
      read (unit, "(a)") texts(iand(i, 1023))
    end do
  end subroutine read_a

  ! Nobody knows how long they are.
  subroutine read_lines(unit)
    integer, intent(in) :: unit
    character(128) :: line
    integer :: i, status, length
    do i = 1, many
      read (unit, "(a)", advance="no", size=length, iostat=status) line
      if (status /= iostat_eor) error stop "read_lines: a line of another length"
      texts(iand(i, 1023)) = line(:length)
    end do
  end subroutine read_lines

  ! A block of a case that reads text in memory; false if there is no such case.
  logical function internal_read_block(kind)
    character(*), intent(in) :: kind
    integer :: i
    internal_read_block = .true.
    counted = many
    select case (kind)
    case ("internal_read_list")
      do i = 1, many
        read (texts(iand(i, 1023)), *) numbers(i)
      end do
    case ("internal_read_i8")
      do i = 1, many
        read (texts(iand(i, 1023)), "(i8)") numbers(i)
      end do
    case default
      internal_read_block = .false.
    end select
  end function internal_read_block
end module run_reads
