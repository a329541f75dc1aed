!> Runs a list of micro-runs, each a short file written and read, and prints the processor time of
!> each.
!>
!>     micro list=runs.txt file=/scratch/x.dat rounds=4 seconds=15
!>
!> A line of the list: access form style statements items sections span edit, strings quoted. A line
!> printed: `micro run=3 operation=write cpu=seconds wall=seconds`, run counted from 1. All runs are
!> done in turn, then all again, so that a drift of the machine meets each of them; from the third
!> round on they end when `seconds` are over.
program micro
   use, intrinsic :: iso_fortran_env, only : error_unit, int32, int64, real64
   use harness_payload, only : fill, make_payload
   use harness_posix, only : delete_file, seconds_now, usage, usage_now
   use micro_swapped, only : open_swapped
   use micro_transfers, only : make_places, micro_run, read_run, write_run
   implicit none

   character(len=4096) :: list = " ", file = " "
   !> Rounds that are done however long they take: a single time on a shared machine means little
   integer, parameter :: fewest = 3
   integer :: rounds = 3, round, index_of_run
   real(real64) :: seconds = 1e9_real64, start
   type(micro_run), allocatable :: runs(:)
   real(real64), allocatable, target :: values(:), input(:)
   integer(int32), allocatable :: integers(:), integer_input(:)

   call read_arguments()
   call read_list(runs)
   call make_arrays()
   start = seconds_now()
   do round = 1, rounds
      do index_of_run = 1, size(runs)
         call measure(index_of_run, runs(index_of_run))
         call delete_file(file)
      end do
      if (round >= fewest .and. seconds_now() - start > seconds * round / (round + 1)) exit
   end do

contains

subroutine measure(number, run)
   integer, intent(in) :: number
   type(micro_run), intent(in) :: run
   type(usage) :: before, after
   integer :: unit

   if (run%access == "memory") then
      call measure_memory(number, run)
      return
   end if
   call delete_file(file)
   before = usage_now(starting=.true.)
   call open_file(run, "replace", unit)
   call write_run(run, unit, values, integers)
   close (unit)
   after = usage_now(starting=.false.)
   call report(number, "write", before, after)
   before = usage_now(starting=.true.)
   call open_file(run, "old", unit)
   call read_run(run, unit, input, integer_input)
   close (unit)
   after = usage_now(starting=.false.)
   call report(number, "read", before, after)
end subroutine measure

!> `statements` times: take `items` values of fresh memory, copy an array into it, give it back
subroutine measure_memory(number, run)
   integer, intent(in) :: number
   type(micro_run), intent(in) :: run
   type(usage) :: before, after
   real(real64), allocatable :: fresh(:)
   real(real64) :: total
   integer(int64) :: i

   total = 0
   before = usage_now(starting=.true.)
   do i = 1, run%statements
      allocate(fresh(run%items))
      call copy(fresh, values)
      total = total + fresh(1 + modulo(i, run%items))
      deallocate(fresh)
   end do
   after = usage_now(starting=.false.)
   call report(number, "memory", before, after)
   if (abs(total) > huge(total)) error stop "headrace: memory does not hold what was put into it"
end subroutine measure_memory

subroutine copy(to, from)
   real(real64), intent(inout) :: to(:)
   real(real64), intent(in) :: from(:)

   to = from(:size(to, kind=int64))
end subroutine copy

subroutine open_file(run, status, unit)
   type(micro_run), intent(in) :: run
   character(len=*), intent(in) :: status
   integer, intent(out) :: unit
   integer :: value

   inquire(iolength=value) 0.0_real64
   if (run%access == "direct") then
      open(newunit=unit, file=file, form="unformatted", access="direct", &
         & recl=int(run%items) * value, status=status)
   else if (run%form == "swapped") then
      call open_swapped(file, run%access, status, unit)
   else if (run%form == "unformatted") then
      open(newunit=unit, file=file, form="unformatted", access=run%access, status=status)
   else
      open(newunit=unit, file=file, form="formatted", access=run%access, status=status)
   end if
end subroutine open_file

subroutine report(number, operation, before, after)
   integer, intent(in) :: number
   character(len=*), intent(in) :: operation
   type(usage), intent(in) :: before, after

   print "(a, i0, 2a, *(a, es22.15))", "micro run=", number, " operation=", operation, &
      & " cpu=", after%user - before%user + after%system - before%system, " wall=", &
      & after%wall - before%wall
end subroutine report

subroutine make_arrays()
   integer(int64) :: largest

   largest = max(maxval(runs%span), maxval(runs%items), maxval((runs%items + 1) * runs%sections))
   call make_payload(1_int64)
   allocate(values(largest), input(largest), integers(largest), integer_input(largest))
   call fill(values, 0_int64)
   call fill(integers, 0_int64)
   input = 0
   integer_input = 0
   call make_places(maxval(runs%items, mask=runs%style == "scalars"))
end subroutine make_arrays

subroutine read_list(runs)
   type(micro_run), allocatable, intent(out) :: runs(:)
   integer :: unit, status, lines, i

   open(newunit=unit, file=list, status="old", action="read")
   lines = 0
   do
      read (unit, *, iostat=status)
      if (status /= 0) exit
      lines = lines + 1
   end do
   rewind (unit)
   allocate(runs(lines))
   do i = 1, lines
      read (unit, *) runs(i)%access, runs(i)%form, runs(i)%style, runs(i)%statements, &
         & runs(i)%items, runs(i)%sections, runs(i)%span, runs(i)%edit
   end do
   close (unit)
end subroutine read_list

subroutine read_arguments()
   character(len=4200) :: argument
   integer :: i, equals

   do i = 1, command_argument_count()
      call get_command_argument(i, argument)
      equals = index(argument, "=")
      select case (argument(:max(0, equals - 1)))
      case ("list"); list = argument(equals + 1:)
      case ("file"); file = argument(equals + 1:)
      case ("rounds"); read (argument(equals + 1:), *) rounds
      case ("seconds"); read (argument(equals + 1:), *) seconds
      case default
         write (error_unit, "(3a)") "headrace: unknown argument '", trim(argument), "'"
         error stop 2
      end select
   end do
end subroutine read_arguments

end program micro
