! Statements that nobody promises to make faster: none may become slower. First: statements.f90.
module run_others
  use, intrinsic :: iso_fortran_env, only: output_unit
  use run_data, only: real64, many, rows, few, x, y, table, texts, file, counted, fresh, anywhere
  implicit none
  private
  public :: others_block, namelist_block, unformatted_block

contains

  ! A block of a case of formatted statements; false if there is no such case.
  logical function others_block(kind)
    character(*), intent(in) :: kind
    others_block = .true.
    select case (kind)
    case ("flush_each")
      call flush_each()
    case ("append_each")
      call append_each()
    case ("inquire_each")
      call inquire_each()
    case ("two_units")
      call two_units()
    case ("tabs")
      call tabs()
    case ("changing_format")
      call changing_format()
    case ("decimal_comma")
      call decimal_comma()
    case ("no_advance")
      call no_advance()
    case ("stream_formatted")
      call stream_formatted()
    case ("direct_formatted")
      call direct_formatted()
    case ("stdout_file", "stdout_pipe")
      call standard_output()
    case ("strings")
      call strings()
    case default
      others_block = .false.
    end select
  end function others_block

  subroutine flush_each()
    integer :: unit, i
    call fresh(unit)
    do i = 1, few
      write (unit, "(es22.14)") x(i)
      flush (unit)
    end do
    close (unit)
    counted = 2 * few
  end subroutine flush_each

  ! OPEN, WRITE and CLOSE for each record
  subroutine append_each()
    integer :: unit, i
    call fresh(unit)
    close (unit)
    do i = 1, few
      open (newunit=unit, file=trim(file), status="old", position="append", action="write")
      write (unit, "(es22.14)") x(i)
      close (unit)
    end do
    counted = 3 * few
  end subroutine append_each

  subroutine inquire_each()
    integer :: unit, i, record_length
    call fresh(unit)
    do i = 1, few
      write (unit, "(es22.14)") x(i)
      inquire (unit=unit, recl=record_length)
    end do
    close (unit)
    counted = 2 * few
  end subroutine inquire_each

  subroutine two_units()
    integer :: first, second, i
    call fresh(first)
    open (newunit=second, status="scratch")
    do i = 1, many / 2
      write (first, "(es22.14)") x(i)
      write (second, *) i, x(i)
    end do
    close (first)
    close (second)
    counted = many
  end subroutine two_units

  subroutine tabs()
    integer :: unit, i
    call fresh(unit)
    do i = 1, many
      write (unit, "(t30, f12.5, t5, i8)") x(i), i
    end do
    close (unit)
    counted = many
  end subroutine tabs

  ! A format that is made for each statement, as tables of chosen width have it
  subroutine changing_format()
    integer :: unit, i
    character(16) :: format
    call fresh(unit)
    do i = 1, rows
      write (format, "(a, i0, a)") "(f", 12 + mod(i, 8), ".5)"
      write (unit, format) x(i)
    end do
    close (unit)
    counted = 2 * rows
  end subroutine changing_format

  subroutine decimal_comma()
    integer :: unit, i
    open (newunit=unit, file=trim(file), status="replace", decimal="comma")
    do i = 1, many
      write (unit, "(es22.14)") x(i)
    end do
    close (unit)
    counted = many
  end subroutine decimal_comma

  subroutine no_advance()
    integer :: unit, i, m
    call fresh(unit)
    do i = 1, rows
      do m = 1, 5
        write (unit, "(es15.6)", advance="no") table(m, i)
      end do
      write (unit, *)
    end do
    close (unit)
    counted = 6 * rows
  end subroutine no_advance

  subroutine stream_formatted()
    integer :: unit, i
    open (newunit=unit, file=trim(file), status="replace", access="stream", form="formatted")
    do i = 1, many
      write (unit, "(es22.14)") x(i)
    end do
    close (unit)
    counted = many
  end subroutine stream_formatted

  subroutine direct_formatted()
    integer :: unit, i
    open (newunit=unit, file=trim(file), status="replace", access="direct", &
          form="formatted", recl=22)
    do i = 1, many
      write (unit, "(es22.14)", rec=i) x(i)
    end do
    close (unit)
    counted = many
  end subroutine direct_formatted

  subroutine standard_output()
    integer :: i
    do i = 1, many
      print "(es22.14)", x(i)
    end do
    flush (output_unit)
    counted = many
  end subroutine standard_output

  ! Intrinsics that the run time has as functions: four a step
  subroutine strings()
    character(256) :: long, other
    integer :: i, length
    length = 0
    do i = 1, many
      long = texts(iand(i, 1023))
      other = adjustl(long)
      length = length + len_trim(long)
      if (long == other) length = length + 1
      texts(iand(i, 1023)) = "  "//trim(other)
      texts(iand(i, 1023)) (1:2) = achar(97 + mod(length, 26))
    end do
    counted = 4 * many
  end subroutine strings

  ! A block of a case with namelists; false if there is no such case.
  logical function namelist_block(kind)
    character(*), intent(in) :: kind
    integer :: unit, i, steps
    real(real64) :: width, heights(3)
    namelist /shape/ steps, width, heights
    namelist_block = kind == "namelist_write" .or. kind == "namelist_read"
    if (.not. namelist_block) return
    if (kind == "namelist_write") call fresh(unit)
    if (kind == "namelist_read") open (newunit=unit, file=trim(file), status="old", action="read")
    do i = 1, few
      steps = i
      width = x(i)
      heights = table(1:3, i)
      if (kind == "namelist_write") write (unit, nml=shape)
      if (kind == "namelist_read") read (unit, nml=shape)
      y(i) = width + sum(heights)
    end do
    close (unit)
    counted = few
  end function namelist_block

  ! A block of a case without formats; false if there is no such case.
  logical function unformatted_block(kind)
    character(*), intent(in) :: kind
    integer :: unit, i
    unformatted_block = .true.
    counted = many
    select case (kind)
    case ("unformatted")
      open (newunit=unit, file=trim(file), status="replace", form="unformatted")
      do i = 1, many
        write (unit) x(i)
      end do
    case ("stream")
      open (newunit=unit, file=trim(file), status="replace", form="unformatted", access="stream")
      do i = 1, many
        write (unit) x(i)
      end do
    case ("stream_swapped")
      open (newunit=unit, file=trim(file), status="replace", form="unformatted", access="stream", &
            convert="swap")
      do i = 1, many
        write (unit) i, x(i)
      end do
    case ("direct")
      open (newunit=unit, file=trim(file), status="replace", access="direct", &
            form="unformatted", recl=8)
      do i = 1, many
        write (unit, rec=i) x(i)
      end do
    case ("direct_any")
      open (newunit=unit, file=trim(file), status="replace", access="direct", &
            form="unformatted", recl=80)
      do i = 1, rows
        write (unit, rec=anywhere(i)) table(:, i)
      end do
      counted = rows
    case default
      unformatted_block = .false.
      return
    end select
    close (unit)
  end function unformatted_block
end module run_others
