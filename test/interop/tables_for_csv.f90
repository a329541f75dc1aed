!> Writes a table that Python's csv module then reads; reads one that it wrote, and writes it again.
program tables_for_csv
   use, intrinsic :: iso_fortran_env, only : int64, real64
   use headrace_tables, only : text_table, read_table, write_table, get, put, close
   implicit none
   type(text_table) :: table
   character(len=16) :: mode, text(6)
   real(real64) :: x(6)
   integer :: i

   call get_command_argument(1, mode)
   if (mode == "write") then
      text = [character(len=16) :: "plain", "with, comma", "say ""hi""", &
         & "two"//achar(10)//"lines", "", " blank"]
      call put(table, "text, quoted", text)
      call put(table, "i", [(huge(0_int64) - i, i = 0, 5)])
      call put(table, "x", [(0.1_real64 * i, i = 1, 6)])
      call put(table, "z", [(cmplx(i, -i, real64), i = 1, 6)])
      call put(table, "flag", [(mod(i, 2) == 0, i = 1, 6)])
      call write_table("from_headrace.csv", table)
   else
      call read_table("from_python.csv", table)
      call get(table, "x", x)
      call put(table, "x", 2 * x)
      call write_table("from_headrace.csv", table)
   end if
   call close(table)
end program tables_for_csv
