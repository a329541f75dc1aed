!> Unformatted records of several lengths, written and read: write_record and read_record, the
!> compiler's own statements on a kept unit, and write(2) and read(2) of as many bytes in blocks of
!> 1 MiB. Ways are interleaved, the least processor time of the rounds decides. Files are new, reads
!> hot, arrays touched; the array that is read into begins where ALLOCATE puts it.
!>
!>     headrace_bench_records [directory [MiB [rounds]]]
program headrace_bench_records
   use, intrinsic :: iso_c_binding, only : c_int, c_loc, c_null_char, c_size_t
   use, intrinsic :: iso_fortran_env, only : real64
   use bench_tools, only : number_argument, processor, remove, text_argument
   use headrace, only : close_records, open_records, read_record, record_file, write_record
   use posix_calls, only : posix_close, posix_creat, posix_open, posix_read, posix_write
   implicit none

   integer, parameter :: statement_way = 1, headrace_way = 2, posix_way = 3, ways = 3
   integer, parameter :: block_elements = 131072
   real(real64), allocatable, target :: x(:), y(:)
   character(len=:), allocatable :: file
   integer :: total, rounds

   file = text_argument(1, "/dev/shm")//"/headrace_bench_records.unf"
   total = block_elements*number_argument(2, 64)
   rounds = number_argument(3, 9)
   allocate(x(total), y(total))
   call random_number(x)

   print "(a)", processor()
   print "(2(a, i0), a)", "speed of headrace's records as a multiple of that of others; ", &
         & total/block_elements, " MiB of real64, ", rounds, " rounds"
   print "(a16, 4a14)", "elements", "write, WRITE", "write(2)", "read, READ", "read(2)"
   call compare(10)
   call compare(1000)
   call compare(block_elements)
   call compare(total)
   call remove(file)

contains

subroutine compare(elements)
   integer, intent(in) :: elements
   real(real64) :: written(rounds, ways), read_in(rounds, ways)
   integer :: round, i, records

   records = total/elements
   do round = 1, rounds
      do i = 1, ways
         call remove(file)
         y = 0
         written(round, i) = time_of(i, elements, records, writes=.true.)
         read_in(round, i) = time_of(i, elements, records, writes=.false.)
         if (any(abs(x(:records*elements) - y(:records*elements)) > 0)) then
           error stop "not what was written"
         end if
      end do
   end do
   print "(i16, 4f14.2)", elements, times_as_fast(written, statement_way), &
         & times_as_fast(written, posix_way), times_as_fast(read_in, statement_way), &
         & times_as_fast(read_in, posix_way)
end subroutine compare

pure function times_as_fast(seconds, other) result(ratio)
   real(real64), intent(in) :: seconds(:, :)
   integer, intent(in) :: other
   real(real64) :: ratio

   ratio = minval(seconds(:, other))/minval(seconds(:, headrace_way))
end function times_as_fast

function time_of(way, elements, records, writes) result(taken)
   integer, intent(in) :: way, elements, records
   logical, intent(in) :: writes
   real(real64) :: taken
   real(real64) :: start, end

   call cpu_time(start)
   select case (way)
   case (statement_way)
      call by_statements(elements, records, writes)
   case (headrace_way)
      call by_headrace(elements, records, writes)
   case default
      call by_system(elements*records, writes)
   end select
   call cpu_time(end)
   taken = max(end - start, 1e-9_real64)
end function time_of

subroutine by_statements(elements, records, writes)
   integer, intent(in) :: elements, records
   logical, intent(in) :: writes
   integer :: unit, i

   if (writes) then
      open(newunit=unit, file=file, status="replace", form="unformatted", action="write")
      do i = 1, records
         write(unit) x((i - 1)*elements + 1:i*elements)
      end do
   else
      open(newunit=unit, file=file, status="old", form="unformatted", action="read")
      do i = 1, records
         read(unit) y((i - 1)*elements + 1:i*elements)
      end do
   end if
   close(unit)
end subroutine by_statements

subroutine by_headrace(elements, records, writes)
   integer, intent(in) :: elements, records
   logical, intent(in) :: writes
   type(record_file) :: kept
   integer :: i

   if (writes) then
      call open_records(kept, file, action="write")
      do i = 1, records
         call write_record(kept, x((i - 1)*elements + 1:i*elements))
      end do
   else
      call open_records(kept, file, action="read")
      do i = 1, records
         call read_record(kept, y((i - 1)*elements + 1:i*elements))
      end do
   end if
   call close_records(kept)
end subroutine by_headrace

!> As many bytes of data, without markers
subroutine by_system(elements, writes)
   integer, intent(in) :: elements
   logical, intent(in) :: writes
   integer(c_int) :: descriptor
   integer(c_size_t) :: bytes, moved
   integer :: first

   if (writes) then
      descriptor = posix_creat(file//c_null_char, int(o"644", c_int))
   else
      descriptor = posix_open(file//c_null_char, 0_c_int)
   end if
   do first = 1, elements, block_elements
      bytes = 8_c_size_t*min(block_elements, elements - first + 1)
      if (writes) then
         moved = posix_write(descriptor, c_loc(x(first)), bytes)
      else
         moved = posix_read(descriptor, c_loc(y(first)), bytes)
      end if
      if (moved /= bytes) error stop "a block was not moved whole"
   end do
   if (posix_close(descriptor) /= 0) error stop "close failed"
end subroutine by_system

end program headrace_bench_records
