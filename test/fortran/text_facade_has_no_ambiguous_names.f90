!> One use statement brings tables, cells and strings, and all their generic names go together.
program text_facade_has_no_ambiguous_names
   use headrace
   use headrace_text
   use checks, only : check, finish
   implicit none

   type(text_table) :: table
   type(text_cells) :: cells
   real :: x(3), y(3)
   integer :: n

   x = [1.5, 2.5, -3.0]
   call put(table, "x", x)
   call write_table("t.csv", table)
   call close(table)
   call read_table("t.csv", table)
   call get(table, "x", y)
   call check(all(abs(x - y) <= 0.0), "a table")
   call check(row_count(table) == 3, "its rows")
   call close(table)
   call put(cells, x)
   call get(cells, y)
   call check(all(abs(x - y) <= 0.0), "cells")
   call check(row_count(cells) == 3, "their rows")
   call close(cells)
   call get("42", n)
   call check(n == 42 .and. str(n)//LF == "42"//LF, "a string")
   call write_array("x.csv", x)
   call check(hr_stat%success == 0, "and whole arrays beside them")
   call finish()
end program text_facade_has_no_ambiguous_names
