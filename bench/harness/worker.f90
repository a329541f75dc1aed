!> A worker of `headrace bench text` and `bench binary`: keeps its array, obeys one command a line,
!> answers with times.
!>
!>     worker data=FILE columns=10 rows=1000000
!>
!> Commands are words between tabs, `write` or `read`, then the way, its format, the file, and the
!> relative tolerance of the comparison after a read. The answer to each is one line, with seconds
!> and bytes:
!>
!>     done wall=.. user=.. system=.. peak=.. differences=.. phases=..
program worker
   use, intrinsic :: iso_fortran_env, only : compiler_version, input_unit, int64, &
      & output_unit, real64
   use harness_posix, only : memory_now, reset_peak_memory, usage, usage_now
   use worker_values, only : x, y
   use worker_ways, only : collect, phase_seconds, prepare, read_values, write_values
   implicit none

   character(len=4096) :: line
   integer :: status

   call load(argument("data"))
   call prepare()
   write (output_unit, "(2a)") "ready ", compiler_version()
   flush (output_unit)
   do
      read (input_unit, "(a)", iostat=status) line
      if (status /= 0) exit
      call obey(line)
   end do

contains

!> Write or read once, and answer
subroutine obey(line)
   character(len=*), intent(in) :: line
   character(len=:), allocatable :: how, format, file
   type(usage) :: before, after
   integer(int64) :: resident, peak, peak_before, differences
   real(real64) :: tolerance
   logical :: writing

   writing = word(line, 1) == "write"
   how = word(line, 2)
   format = word(line, 3)
   file = word(line, 4)
   read (line(index(line, achar(9), back=.true.) + 1:), *) tolerance
   if (.not. writing) y = 0
   if (allocated(phase_seconds)) deallocate (phase_seconds)
   call reset_peak_memory()
   call memory_now(resident, peak_before)
   before = usage_now(starting=.true.)
   if (writing) then
      call write_values(how, format, file)
   else
      call read_values(how, format, file)
   end if
   after = usage_now(starting=.false.)
   call memory_now(peak_before, peak)
   differences = 0
   if (.not. writing) then
      call collect()
      differences = count_differences(tolerance)
   end if
   call answer(before, after, peak - resident, differences)
end subroutine obey

subroutine answer(before, after, growth, differences)
   type(usage), intent(in) :: before, after
   integer(int64), intent(in) :: growth, differences
   integer :: i

   write (output_unit, "(3(a, es16.9), 2(a, i0))", advance="no") &
      & "done wall=", after%wall - before%wall, " user=", after%user - before%user, &
      & " system=", after%system - before%system, " peak=", growth, &
      & " differences=", differences
   if (allocated(phase_seconds)) then
      write (output_unit, "(a, *(es16.9, :, ','))", advance="no") " phases=", &
         & (phase_seconds(i), i=1, size(phase_seconds))
   end if
   write (output_unit, "(a)") ""
   flush (output_unit)
end subroutine answer

!> How many values of y are not those of x
integer(int64) function count_differences(tolerance) result(differences)
   real(real64), intent(in) :: tolerance
   integer(int64) :: i

   if (any(shape(x) /= shape(y))) then
      differences = size(x, kind=int64)
      return
   end if
   differences = 0
   do i = 1, size(x, 2, kind=int64)
      if (tolerance > 0) then
         ! the negated comparison catches NaN as well
         differences = differences + &
            & count(.not. abs(x(:, i) - y(:, i)) <= tolerance * abs(x(:, i)), kind=int64)
      else
         differences = differences + &
            & count(.not. (x(:, i) <= y(:, i) .and. x(:, i) >= y(:, i)), kind=int64)
      end if
   end do
end function count_differences

!> The bytes of the array, as the command line left them in a file
subroutine load(file)
   character(len=*), intent(in) :: file
   integer(int64) :: columns, rows
   integer :: unit
   character(len=:), allocatable :: text

   text = argument("columns")
   read (text, *) columns
   text = argument("rows")
   read (text, *) rows
   allocate (x(columns, rows), y(columns, rows))
   open (newunit=unit, file=file, status="old", action="read", form="unformatted", access="stream")
   read (unit) x
   close (unit)
   y = 0
end subroutine load

!> The value of `key=value` on the command line
function argument(key) result(value)
   character(len=*), intent(in) :: key
   character(len=:), allocatable :: value
   character(len=4096) :: text
   integer :: i

   do i = 1, command_argument_count()
      call get_command_argument(i, text)
      if (index(text, key // "=") == 1) then
         value = trim(text(len(key) + 2:))
         return
      end if
   end do
   error stop "an argument is missing"
end function argument

!> Word number n of those between tabs
function word(line, n) result(found)
   character(len=*), intent(in) :: line
   integer, intent(in) :: n
   character(len=:), allocatable :: found
   integer :: first, i, length

   first = 1
   do i = 2, n
      first = first + index(line(first:), achar(9))
   end do
   length = index(line(first:), achar(9)) - 1
   if (length < 0) length = len_trim(line(first:))
   found = trim(line(first:first + length - 1))
end function word

end program worker
