!> Small calls against the compiler's own statements: a row of 10 values a time step, a record of 10
!> real64, files of 10 elements. Ways are interleaved, medians of processor time decide; every row
!> states its ratio to the statement of the same run.
!>
!>     headrace_bench_small [directory [rounds [calls]]]
program headrace_bench_small
   use, intrinsic :: iso_fortran_env, only : real64
   use headrace, only : close_records, close_text, open_records, open_text, read_array, &
         & read_record, record_file, text_writer, write_array, write_record, write_rows
   implicit none

   integer, parameter :: elements = 10, ways = 23
   character(len=*), parameter :: form = "(*(g0,:,','))"
   character(len=34), parameter :: names(ways) = [character(len=34) :: &
         & "open, append, close a row: WRITE", "write_array(append), csv", &
         & "write_array(append, edit), dat", &
         & "row to a kept unit: WRITE", "write_rows", &
         & "record to a kept unit: WRITE", "write_record", &
         & "record of a kept unit: READ", "read_record", &
         & "new stream file: WRITE", "write_array, raw", "write_array, npy", &
         & "new unformatted file: WRITE", "write_array, unformatted", &
         & "new csv file: WRITE", "write_array, csv", &
         & "stream file: READ", "read_array, raw", "read_array, npy", &
         & "unformatted file: READ", "read_array, unformatted", &
         & "csv file: READ", "read_array, csv"]
   !> The statement that a way is compared with
   integer, parameter :: peer(ways) = [1, 1, 1, 4, 4, 6, 6, 8, 8, 10, 10, 10, 13, 13, 15, 15, &
         & 17, 17, 17, 20, 20, 22, 22]
   real(real64) :: x(elements), y(elements), row(1, elements)
   real(real64), allocatable :: seconds(:, :)
   character(len=:), allocatable :: folder
   integer :: rounds, calls, round, way

   folder = text_argument(1, "/dev/shm")//"/headrace_bench_small."
   rounds = number_argument(2, 21)
   calls = number_argument(3, 200)
   allocate(seconds(rounds, ways))
   call random_number(x)
   row(1, :) = x
   do round = 0, rounds  ! the first warms up
      do way = 1, ways
         y = 0
         call time(way, seconds(max(1, round), way))
      end do
   end do
   print "(a34, 3a12)", "10 real64; processor time a call", "ns", "least ns", "of WRITE"
   do way = 1, ways
      print "(a34, 2i12, f12.2)", names(way), nint(1e9*median(seconds(:, way))/calls), &
            & nint(1e9*minval(seconds(:, way))/calls), &
            & median(seconds(:, way))/median(seconds(:, peer(way)))
   end do

contains

!> Processor time of many calls of one way
subroutine time(way, taken)
   integer, intent(in) :: way
   real(real64), intent(out) :: taken
   type(record_file) :: records
   type(text_writer) :: log
   integer :: unit, i
   real(real64) :: start, end

   select case (way)
   case (1:3)
      call remove(ending(way))
   case (4)
      open(newunit=unit, file=folder//"rows", status="replace", action="write")
   case (5)
      call open_text(log, folder//"rows", format="csv")
   case (6)
      open(newunit=unit, file=folder//"unf", status="replace", form="unformatted", action="write")
   case (7)
      call open_records(records, folder//"unf", action="write")
   case (8)
      open(newunit=unit, file=folder//"unf", status="old", form="unformatted", action="read")
   case (9)
      call open_records(records, folder//"unf", action="read")
   case default
      unit = 0  ! these open and close their files themselves
   end select
   call cpu_time(start)
   select case (way)
   case (4)
      do i = 1, calls
         write(unit, form) x
      end do
   case (5)
      do i = 1, calls
         call write_rows(log, row)
      end do
   case (6)
      do i = 1, calls
         write(unit) x
      end do
   case (7)
      do i = 1, calls
         call write_record(records, x)
      end do
   case (8)
      do i = 1, calls
         read(unit) y
      end do
   case (9)
      do i = 1, calls
         call read_record(records, y)
      end do
   case default
      do i = 1, calls
         call whole_file(way)
      end do
   end select
   call cpu_time(end)
   taken = end - start
   select case (way)
   case (4, 6, 8)
      close(unit)
   case (5)
      call close_text(log)
   case (7, 9)
      call close_records(records)
   case default
      continue
   end select
   if (way == 8 .or. way == 9 .or. way >= 17) then
      if (maxval(abs(x - y)) > 0) error stop "not what was written"
   end if
end subroutine time

!> One call that opens and closes its file
subroutine whole_file(way)
   integer, intent(in) :: way
   integer :: unit

   select case (way)
   case (1)
      open(newunit=unit, file=ending(way), position="append", action="write")
      write(unit, form) x
      close(unit)
   case (2)
      call write_array(ending(way), row, append="yes")
   case (3)
      call write_array(ending(way), x, append="yes", edit="(10es24.16e3)")
   case (10)
      open(newunit=unit, file=folder//"bin", status="replace", form="unformatted", &
            & access="stream", action="write")
      write(unit) x
      close(unit)
   case (11)
      call write_array(folder//"raw", x)
   case (12)
      call write_array(folder//"npy", x)
   case (13)
      open(newunit=unit, file=folder//"seq", status="replace", form="unformatted", action="write")
      write(unit) x
      close(unit)
   case (14)
      call write_array(folder//"seq", x)
   case (15)
      open(newunit=unit, file=folder//"csv", status="replace", action="write")
      write(unit, form) x
      close(unit)
   case (16)
      call write_array(folder//"csv", row)
   case (17)
      open(newunit=unit, file=folder//"bin", status="old", form="unformatted", access="stream", &
            & action="read")
      read(unit) y
      close(unit)
   case (18)
      call read_array(folder//"raw", y)
   case (19)
      call read_array(folder//"npy", y)
   case (20)
      open(newunit=unit, file=folder//"seq", status="old", form="unformatted", action="read")
      read(unit) y
      close(unit)
   case (21)
      call read_array(folder//"seq", y)
   case (22)
      open(newunit=unit, file=folder//"csv", status="old", action="read")
      read(unit, *) y
      close(unit)
   case (23)
      call read_array(folder//"csv", y)
   case default
      error stop "no such way"
   end select
end subroutine whole_file

!> The file that a way appends to
function ending(way) result(file)
   integer, intent(in) :: way
   character(len=:), allocatable :: file

   select case (way)
   case (1)
      file = folder//"log.txt"
   case (2)
      file = folder//"log.csv"
   case default
      file = folder//"log.dat"
   end select
end function ending

subroutine remove(file)
   character(len=*), intent(in) :: file
   integer :: unit, status

   open(newunit=unit, file=file, iostat=status)
   if (status == 0) close(unit, status="delete")
end subroutine remove

function median(values) result(middle)
   real(real64), intent(in) :: values(:)
   real(real64) :: middle
   real(real64) :: sorted(size(values)), value
   integer :: i, j

   sorted = values
   do i = 2, size(sorted)
      value = sorted(i)
      do j = i - 1, 1, -1
         if (sorted(j) <= value) exit
         sorted(j + 1) = sorted(j)
      end do
      sorted(j + 1) = value
   end do
   middle = sorted((size(sorted) + 1)/2)
end function median

function text_argument(number, default) result(text)
   integer, intent(in) :: number
   character(len=*), intent(in) :: default
   character(len=:), allocatable :: text
   integer :: length

   call get_command_argument(number, length=length)
   allocate(character(len=length) :: text)
   call get_command_argument(number, text)
   if (length == 0) text = default
end function text_argument

function number_argument(number, default) result(value)
   integer, intent(in) :: number, default
   integer :: value
   character(len=:), allocatable :: text

   value = default
   text = text_argument(number, "")
   if (len(text) > 0) read(text, *) value
end function number_argument

end program headrace_bench_small
