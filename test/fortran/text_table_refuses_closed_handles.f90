!> Closed handles, copies of them and handles that were never opened give a named failure.
program text_table_refuses_closed_handles
   use headrace_status, only : hr_stat
   use headrace_cells, only : text_cells, put, get, close, row_count, write_file, cell_text
   use headrace_cell_edits, only : split, join
   use headrace_tables, only : text_table, put, get, close, row_count, write_table, column_name
   use checks, only : check, check_status, finish
   implicit none
   type(text_table) :: table, copy, other
   type(text_cells) :: cells, same
   character(len=1000) :: message
   character(len=:), allocatable :: text
   integer :: x(3), stat
   integer :: rows

   x = [1, 2, 3]
   call get(table, "x", x, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%handle_closed, message, "table is closed or was never opened")
   call put(table, "x", x)
   copy = table
   call put(copy, "y", x)
   call get(table, "y", x)
   call check(all(x == [1, 2, 3]), "a copy is the same table")
   call close(table)
   call close(table)
   call get(table, "x", x, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%handle_closed, message, "table is closed or was never opened")
   call put(other, "z", x)
   call get(copy, "z", x, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%handle_closed, message, "the table is closed")
   stat = 0
   call close(copy, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%handle_closed, message, "the table is closed")
   rows = int(row_count(copy, iostat=stat, iomsg=message))
   call check(rows == -1, "no rows")
   call check_status(stat, hr_stat%handle_closed, message, "closed")
   call write_table("never.csv", copy, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%handle_closed, message, "closed")
   call put(copy, "x", x, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%handle_closed, message, "closed")
   text = column_name(copy, 1, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%handle_closed, message, "closed")
   call check(text == "", "no name")
   call close(other)

   text = join(cells, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%handle_closed, message, "cells are closed or were never opened")
   call split("a b c", cells)
   same = cells
   call put(cells, x)
   call check(cell_text(same, 3, 1) == "3", "a copy is the same cells")
   call close(cells)
   call get(same, x, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%handle_closed, message, "closed")
   call write_file("never.csv", same, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%handle_closed, message, "closed")
   text = cell_text(same, 1, 1, iostat=stat)
   call check(stat == hr_stat%handle_closed .and. text == "", "no text")
   call finish()
end program text_table_refuses_closed_handles
