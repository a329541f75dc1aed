!> A row each time step, as doc/reference/log_rows.md shows it: both ways give the same file, and
!> an array of rank 1 never becomes a column without a word.
program text_rows_are_logged_step_by_step
   use, intrinsic :: iso_fortran_env, only : real64
   use headrace, only : close_text, hr_stat, load_array, open_text, text_writer, write_array, &
      & write_rows
   use checks, only : check, check_status, finish
   implicit none

   integer, parameter :: steps = 3000
   character(len=*), parameter :: names(3) = [character(len=6) :: "time", "energy", "mass"]
   real(real64), allocatable :: kept(:, :), appended(:, :)
   real(real64) :: expected(steps, 3)
   type(text_writer) :: log
   character(len=400) :: message
   integer :: step, stat

   call remove("kept.csv")
   call remove("appended.csv")
   call remove("column.csv")
   call random_number(expected)
   call open_text(log, "kept.csv", header=names)
   do step = 1, steps
      call write_rows(log, expected(step, :))
      call write_array("appended.csv", expected(step, :), append="yes", header=names)
   end do
   call close_text(log)
   call load_array("kept.csv", kept, header="yes")
   call load_array("appended.csv", appended, header="yes")
   call check(all(shape(kept) == [steps, 3]), "a row for each write_rows")
   call check(all(shape(appended) == [steps, 3]), "a row for each write_array")
   if (all(shape(kept) == [steps, 3])) call check(all(kept == expected), "the rows of write_rows")
   if (all(shape(appended) == [steps, 3])) then
     call check(all(appended == expected), "the rows of write_array")
   end if

   message = ""
   call write_array("column.csv", expected(1, :), append="yes", iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%argument_invalid, message, "row or a column")
   call check(index(message, "reshape(x, [1, size(x)])") > 0, "the message says what to do")
   call write_array("column.csv", reshape(expected(1, :), [1, 3]), append="yes")
   call write_array("column.csv", expected(2, :), append="yes")
   call load_array("column.csv", kept)
   call check(all(shape(kept) == [2, 3]), "the file says that it is a row")
   call write_array("column.csv", expected(:2, 1), append="yes", iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%row_length, message, "columns")
   call finish()

contains

subroutine remove(file)
   character(len=*), intent(in) :: file
   integer :: unit

   open(newunit=unit, file=file)
   close(unit, status="delete")
end subroutine remove

end program text_rows_are_logged_step_by_step
