!> Runs one mechanism: fill, write under the clock, read under the clock, verify. First: posix.f90,
!> payload.f90.
!>
!> A family file ends in a program that adds its mechanisms and calls `run_mechanism`. The process
!> then obeys its arguments (`key=value`) and prints lines `word key=value ...` for the command line
!> to read:
!>
!>     mechanism=whole count=3000000 file=x.dat minimum=0.2 synced=no cold=no seed=1 write=yes
!>     read=yes part=1 parts=1 wait=no keep=no passes=1000
module harness
   use, intrinsic :: iso_fortran_env, only : compiler_options, compiler_version, error_unit, &
      & input_unit, int32, int64, output_unit, real64
   use harness_mechanisms, only : add_columns, add_integer, add_rows, add_vector, find_mechanism, &
      & list_mechanisms, mechanism, refuse, shape_columns, shape_integer, shape_rows
   use harness_payload, only : collect_expected, expected_integer, expected_real, fill, &
      & first_difference, make_payload, text_distribution
   use harness_posix, only : delete_file, evict_pages, flush_to_device, memory_now, &
      & reset_peak_memory, resident_share, seconds_now, sleep_until, usage, usage_now
   implicit none
   private

   public :: add_rows, add_columns, add_vector, add_integer, run_mechanism, refuse, expected_real, &
      & expected_integer, collect_expected
   public :: part_first, part_last, total_count

   !> The values that this process reads, and how many the file holds: for mechanisms that read a
   !> part of a file
   integer(int64), protected :: part_first = 1, part_last = 0, total_count = 0

   type :: request
      character(len=32) :: mechanism = " "
      character(len=4096) :: file = " "
      integer(int64) :: count = 3000
      integer(int64) :: seed = 1
      !> Passes are repeated until so many seconds of transfer have been seen
      real(real64) :: minimum = 0
      integer :: passes = 1000
      !> Of writing and of reading; 0: as many as `passes`
      integer :: write_passes = 0, read_passes = 0
      integer :: part = 1, parts = 1
      logical :: synced = .false., cold = .false., write = .true., read = .true., wait = .false., &
         & keep = .false.
      logical :: list = .false.
   end type request

   real(real64), allocatable, target :: values(:)
   integer(int32), allocatable, target :: integers(:)

contains

!> Obey the arguments of this process
subroutine run_mechanism()
   type(request) :: asked
   type(mechanism), pointer :: entry

   call read_arguments(asked)
   if (asked%list) then
      call list_mechanisms()
      return
   end if
   entry => find_mechanism(asked%mechanism)
   if (.not. associated(entry)) then
      write (error_unit, "(3a)") "headrace: no mechanism '", trim(asked%mechanism), &
         & "' in this family"
      error stop 2
   end if
   print "(4a)", "compiler version=", compiler_version()
   print "(4a)", "compiler options=", compiler_options()
   print "(4a)", "payload distribution=", text_distribution
   total_count = asked%count
   ! a matrix has whole rows of three
   if (entry%shape == shape_rows .or. entry%shape == shape_columns) then
      total_count = max(3_int64, total_count - modulo(total_count, 3_int64))
   end if
   call make_payload(asked%seed)
   if (asked%write) call write_passes(entry, asked)
   if (asked%read) call read_passes(entry, asked)
   call report_file(entry, asked%file)
   if (asked%keep) return
   call delete_file(asked%file)
   call delete_file(trim(asked%file) // ".meta")
end subroutine run_mechanism

subroutine write_passes(entry, asked)
   type(mechanism), intent(in) :: entry
   type(request), intent(in) :: asked
   real(real64) :: marks(5), total
   type(usage) :: before, after
   integer :: pass, unit, status
   integer(int64) :: resident, peak

   call allocate_part(entry, 1, 1)
   call fill_payload(entry)
   call prepare(entry)
   call reset_peak_memory()
   call memory_now(resident, peak)
   total = 0
   do pass = 1, merge(asked%write_passes, asked%passes, asked%write_passes > 0)
      call delete_file(asked%file)
      call barrier(asked, "write")
      before = usage_now(starting=.true.)
      marks(1) = before%wall
      call entry%open(asked%file, "replace", unit)
      marks(2) = seconds_now()
      call write_payload(entry, unit)
      marks(3) = seconds_now()
      call close_unit(entry, unit)
      marks(4) = seconds_now()
      if (asked%synced) then
         status = flush_to_device(asked%file)
         if (status /= 0) write (error_unit, "(2a)") "headrace: fsync failed on ", trim(asked%file)
         if (status /= 0) error stop 3
      end if
      after = usage_now(starting=.false.)
      marks(5) = after%wall
      call report("write", pass, marks, before, after)
      total = total + marks(5) - marks(1)
      if (total >= asked%minimum) exit
   end do
   call report_memory("write", resident)
end subroutine write_passes

subroutine read_passes(entry, asked)
   type(mechanism), intent(in) :: entry
   type(request), intent(in) :: asked
   real(real64) :: marks(5), total, share
   type(usage) :: before, after
   integer :: pass, unit
   integer(int64) :: resident, peak, bytes

   call allocate_part(entry, asked%part, asked%parts)
   call clear_payload(entry)
   call prepare(entry)
   call reset_peak_memory()
   call memory_now(resident, peak)
   inquire(file=asked%file, size=bytes)
   total = 0
   share = 0
   do pass = 1, merge(asked%read_passes, asked%passes, asked%read_passes > 0)
      if (asked%cold) then
         call evict_pages(asked%file)
         share = max(share, abs(resident_share(asked%file, bytes)))
      end if
      call barrier(asked, "read")
      before = usage_now(starting=.true.)
      marks(1) = before%wall
      call entry%open(asked%file, "old", unit)
      marks(2) = seconds_now()
      call read_payload(entry, unit)
      marks(3) = seconds_now()
      call close_unit(entry, unit)
      after = usage_now(starting=.false.)
      marks(4:5) = after%wall
      call report("read", pass, marks, before, after)
      total = total + marks(5) - marks(1)
      if (total >= asked%minimum) exit
   end do
   call report_memory("read", resident)
   if (asked%cold) print "(a, f0.6)", "cold resident=", share
   call verify(entry)
end subroutine read_passes

!> Tell the parent that this process is ready, and start when it says
subroutine barrier(asked, operation)
   type(request), intent(in) :: asked
   character(len=*), intent(in) :: operation
   real(real64) :: start

   if (.not. asked%wait) return
   print "(2a)", "ready operation=", operation
   flush (output_unit)
   read (input_unit, *) start
   call sleep_until(start)
end subroutine barrier

!> Room for the values of one part; kept from writing to reading, as a program would
subroutine allocate_part(entry, part, parts)
   type(mechanism), intent(in) :: entry
   integer, intent(in) :: part, parts
   integer(int64) :: grains

   grains = (total_count + entry%grain - 1) / entry%grain
   part_first = (grains * (part - 1)) / parts * entry%grain + 1
   part_last = min(total_count, (grains * part) / parts * entry%grain)
   if (allocated(values)) then
      if (size(values, kind=int64) == part_last - part_first + 1) return
      deallocate(values)
   end if
   if (allocated(integers)) then
      if (size(integers, kind=int64) == part_last - part_first + 1) return
      deallocate(integers)
   end if
   if (entry%shape == shape_integer) then
      allocate(integers(part_last - part_first + 1))
   else
      allocate(values(part_last - part_first + 1))
   end if
end subroutine allocate_part

subroutine fill_payload(entry)
   type(mechanism), intent(in) :: entry

   if (entry%shape == shape_integer) then
      call fill(integers, part_first - 1)
   else
      call fill(values, part_first - 1)
   end if
end subroutine fill_payload

!> Zeros, so that a read that transfers nothing is found out; the pages are touched, so that it pays
!> no page faults
subroutine clear_payload(entry)
   type(mechanism), intent(in) :: entry

   if (entry%shape == shape_integer) then
      integers = 0
   else
      values = 0
   end if
end subroutine clear_payload

subroutine prepare(entry)
   type(mechanism), intent(in) :: entry

   if (associated(entry%prepare_reals)) call entry%prepare_reals(values)
   if (associated(entry%prepare_integers)) call entry%prepare_integers(integers)
end subroutine prepare

subroutine write_payload(entry, unit)
   type(mechanism), intent(in) :: entry
   integer, intent(in) :: unit
   real(real64), pointer :: matrix(:, :)

   select case (entry%shape)
   case (shape_rows)
      matrix(1:3, 1:size(values, kind=int64) / 3) => values
      call entry%write_matrix(matrix, unit)
   case (shape_columns)
      matrix(1:size(values, kind=int64) / 3, 1:3) => values
      call entry%write_matrix(matrix, unit)
   case (shape_integer)
      call entry%write_integers(integers, unit)
   case default
      call entry%write_reals(values, unit)
   end select
end subroutine write_payload

subroutine read_payload(entry, unit)
   type(mechanism), intent(in) :: entry
   integer, intent(in) :: unit
   real(real64), pointer :: matrix(:, :)

   select case (entry%shape)
   case (shape_rows)
      matrix(1:3, 1:size(values, kind=int64) / 3) => values
      call entry%read_matrix(matrix, unit)
   case (shape_columns)
      matrix(1:size(values, kind=int64) / 3, 1:3) => values
      call entry%read_matrix(matrix, unit)
   case (shape_integer)
      call entry%read_integers(integers, unit)
   case default
      call entry%read_reals(values, unit)
   end select
end subroutine read_payload

subroutine close_unit(entry, unit)
   type(mechanism), intent(in) :: entry
   integer, intent(in) :: unit

   if (associated(entry%close)) then
      call entry%close(unit)
   else
      close (unit)
   end if
end subroutine close_unit

subroutine verify(entry)
   type(mechanism), intent(in) :: entry
   integer(int64) :: position

   if (associated(entry%collect_reals)) call entry%collect_reals(values)
   if (associated(entry%collect_integers)) call entry%collect_integers(integers)
   if (entry%shape == shape_integer) then
      position = first_difference(integers, part_first - 1)
   else
      position = first_difference(values, part_first - 1, entry%tolerance)
   end if
   if (position == 0) then
      print "(a)", "verify result=equal"
   else if (entry%shape == shape_integer) then
      print "(a, i0, a, i0, a, i0)", "verify result=different position=", position, " found=", &
         & integers(position), " expected=", expected_integer(part_first - 1 + position)
   else
      print "(a, i0, a, es24.16e3, a, es24.16e3)", "verify result=different position=", position, &
         & " found=", values(position), " expected=", expected_real(part_first - 1 + position)
   end if
end subroutine verify

subroutine report(operation, pass, marks, before, after)
   character(len=*), intent(in) :: operation
   integer, intent(in) :: pass
   real(real64), intent(in) :: marks(5)
   type(usage), intent(in) :: before, after
   integer(int64) :: calls

   calls = -1
   ! the first look at the counters is itself a call that read
   if (before%calls >= 0) calls = after%calls - before%calls - 1
   print "(2a, i0, *(a, es22.15))", operation, " pass=", pass, " begin=", marks(1), " open=", &
      & marks(2) - marks(1), " transfer=", marks(3) - marks(2), " close=", marks(4) - marks(3), &
      & " sync=", marks(5) - marks(4), " total=", marks(5) - marks(1), " user=", &
      & after%user - before%user, " system=", after%system - before%system, " calls=", real(calls, &
      & real64), " faults=", real(after%faults - before%faults, real64)
end subroutine report

subroutine report_memory(operation, resident)
   character(len=*), intent(in) :: operation
   integer(int64), intent(in) :: resident
   integer(int64) :: now, peak

   call memory_now(now, peak)
   if (peak < 0 .or. resident < 0) return
   print "(3a, i0)", "memory operation=", operation, " peak=", max(0_int64, peak - resident)
end subroutine report_memory

subroutine report_file(entry, file)
   type(mechanism), intent(in) :: entry
   character(len=*), intent(in) :: file
   integer(int64) :: bytes, more

   inquire(file=file, size=bytes)
   inquire(file=trim(file) // ".meta", size=more)
   print "(a, i0, a, i0, a, i0)", "file bytes=", max(0_int64, bytes) + max(0_int64, more), &
      & " values=", total_count, " payload=", total_count * entry%value_bytes
end subroutine report_file

subroutine read_arguments(asked)
   type(request), intent(out) :: asked
   character(len=4200) :: argument
   integer :: i, equals

   do i = 1, command_argument_count()
      call get_command_argument(i, argument)
      equals = index(argument, "=")
      call set(asked, argument(:max(0, equals - 1)), argument(equals + 1:))
   end do
end subroutine read_arguments

subroutine set(asked, key, text)
   type(request), intent(inout) :: asked
   character(len=*), intent(in) :: key, text

   select case (key)
   case ("mechanism"); asked%mechanism = text
   case ("file"); asked%file = text
   case ("count"); read (text, *) asked%count
   case ("seed"); read (text, *) asked%seed
   case ("minimum"); read (text, *) asked%minimum
   case ("passes"); read (text, *) asked%passes
   case ("write_passes"); read (text, *) asked%write_passes
   case ("read_passes"); read (text, *) asked%read_passes
   case ("part"); read (text, *) asked%part
   case ("parts"); read (text, *) asked%parts
   case ("synced"); asked%synced = text == "yes"
   case ("cold"); asked%cold = text == "yes"
   case ("write"); asked%write = text == "yes"
   case ("read"); asked%read = text == "yes"
   case ("wait"); asked%wait = text == "yes"
   case ("keep"); asked%keep = text == "yes"
   case ("list"); asked%list = text == "yes"
   case default
      write (error_unit, "(3a)") "headrace: unknown argument '", trim(key), "'"
      error stop 2
   end select
end subroutine set

end module harness
