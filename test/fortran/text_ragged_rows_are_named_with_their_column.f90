!> Rows with too few or too many columns: file, line and the byte column where the row goes wrong.
program text_ragged_rows_are_named_with_their_column
   use, intrinsic :: iso_fortran_env, only : real64
   use headrace, only : hr_stat, load_array, read_array
   use checks, only : check_status, finish
   implicit none

   character(len=300) :: message
   real(real64) :: x(3, 2)
   real(real64), allocatable :: y(:, :)
   integer :: stat

   call put("short.csv", "20")
   call read_array("short.csv", x, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%row_length, message, "short.csv:2:3;")
   call put("long.csv", "10, 20, 30,40")
   call read_array("long.csv", x, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%row_length, message, "long.csv:2:9;")
   call load_array("long.csv", y, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%row_length, message, "long.csv:2:9;")
   call finish()

contains

!> Three lines, of which the second one is given.
subroutine put(file, line)
   character(len=*), intent(in) :: file, line
   integer :: unit

   open(newunit=unit, file=file, action="write", status="replace")
   write(unit, "(a)") "1,2", line, "5,6"
   close(unit)
end subroutine put

end program text_ragged_rows_are_named_with_their_column
