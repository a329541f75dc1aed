!> Progress functions: one goes on, one ends the reading.
module progress_functions
   use, intrinsic :: iso_c_binding, only : c_int, c_int64_t
   implicit none
   private

   public :: calls, count_calls, count_calls_of_writer, refuse

   integer :: calls = 0

contains

!> Counts its calls and goes on
function count_calls(done, total) bind(c) result(go_on)
   integer(c_int64_t), value, intent(in) :: done, total
   integer(c_int) :: go_on

   calls = calls + 1
   go_on = merge(1_c_int, 0_c_int, done <= total)
end function count_calls

!> Counts its calls and goes on: a writer knows no total
function count_calls_of_writer(done, total) bind(c) result(go_on)
   integer(c_int64_t), value, intent(in) :: done, total
   integer(c_int) :: go_on

   calls = calls + 1
   go_on = merge(1_c_int, 0_c_int, done > 0 .and. total == 0)
end function count_calls_of_writer

!> Ends the reading or writing
function refuse(done, total) bind(c) result(go_on)
   integer(c_int64_t), value, intent(in) :: done, total
   integer(c_int) :: go_on

   go_on = merge(1_c_int, 0_c_int, min(done, total) < 0)
end function refuse

end module progress_functions

!> Files written in chunks are read in chunks of another size, with progress, and handles stay safe.
program text_files_go_row_by_row
   use, intrinsic :: iso_fortran_env, only : iostat_end, real64
   use headrace, only : close_text, hr_stat, open_text, read_array, read_rows, text_reader, &
      & text_writer, write_rows
   use checks, only : check, check_status, finish
   use progress_functions, only : calls, count_calls, count_calls_of_writer, refuse
   implicit none

   integer, parameter :: n = 100000
   real(real64), allocatable :: x(:, :), y(:, :)
   type(text_writer) :: out
   integer :: unit

   open(newunit=unit, file="long.csv")
   close(unit, status="delete")
   open(newunit=unit, file="bad.csv")
   close(unit, status="delete")
   allocate(x(n, 4), y(n, 4))
   call random_number(x)
   call check_writing()
   call check_reading()
   call check_progress_of_writing()
   call check_interruption()
   call check_handles()
   call finish()

contains

!> Chunks of a file that appears when it is closed
subroutine check_writing()
   logical :: exists

   call open_text(out, "long.csv", header=[character(len=1) :: "a", "b", "c", "d"])
   call write_rows(out, x(:10, :))
   call write_rows(out, x(11:60000, :))
   inquire(file="long.csv", exist=exists)
   call check(.not. exists, "the file appears when it is closed")
   call write_rows(out, x(60001:, :))
   call close_text(out)
   call read_array("long.csv", y)
   call check(all(x == y), "chunks make one file")
end subroutine check_writing

!> Chunks of another size, up to the end
subroutine check_reading()
   type(text_reader) :: in
   integer :: first, rows, stat

   y = 0
   first = 1
   call open_text(in, "long.csv", progress=count_calls)
   do
      call read_rows(in, y(first:min(first + 12344, n), :), rows=rows, iostat=stat)
      if (stat /= 0 .or. first > n) exit
      first = first + rows
      if (first > n) exit
   end do
   call read_rows(in, y(:1, :), rows=rows, iostat=stat)
   call check(stat == iostat_end .and. rows == 0, "no rows are left: iostat_end")
   call check(all(x == y), "chunks of another size")
   call check(calls > 0, "progress was told")
   call close_text(in)
end subroutine check_reading

!> A progress function is told of writing, and ends it
subroutine check_progress_of_writing()
   character(len=200) :: message
   integer :: stat
   logical :: exists

   calls = 0
   call open_text(out, "told.csv", progress=count_calls_of_writer)
   call write_rows(out, x(:50000, :))
   call write_rows(out, x(50001:, :))
   call check(calls >= 2, "progress was told after each call")
   call close_text(out)
   call read_array("told.csv", y)
   call check(all(x == y), "chunks with progress make the same file")
   call open_text(out, "bad.csv", progress=refuse)
   call write_rows(out, x, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%interrupted, message, "progress function ended the writing")
   call close_text(out, iostat=stat)
   inquire(file="bad.csv", exist=exists)
   call check(stat == hr_stat%interrupted .and. .not. exists, "no file after an interruption")
end subroutine check_progress_of_writing

!> A progress function ends the reading
subroutine check_interruption()
   type(text_reader) :: in
   character(len=200) :: message
   integer :: stat

   call open_text(in, "long.csv", progress=refuse)
   call read_rows(in, y, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%interrupted, message, "progress function")
   call close_text(in)
   call close_text(in, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%handle_closed, message, "text_reader")
end subroutine check_interruption

!> Closed handles, rows that do not fit
subroutine check_handles()
   type(text_writer) :: copy
   character(len=200) :: message
   integer :: stat
   logical :: exists

   copy = out
   call write_rows(copy, x, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%handle_closed, message, "text_writer")
   call open_text(out, "bad.csv")
   call write_rows(out, x(:5, :))
   call write_rows(out, x(:5, :3), iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%row_length, message, "4 columns")
   call close_text(out, iostat=stat)
   inquire(file="bad.csv", exist=exists)
   call check(stat == hr_stat%row_length .and. .not. exists, "a failed file does not appear")
end subroutine check_handles

end program text_files_go_row_by_row
