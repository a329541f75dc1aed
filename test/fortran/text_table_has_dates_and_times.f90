!> Dates and times of ISO 8601 in tables, cells and texts: their type, seconds since an epoch, and
!> back. And append and header, which refuse what does not fit the file.
program text_table_has_dates_and_times
   use, intrinsic :: iso_fortran_env, only : int64, real64
   use headrace_arrays, only : write_array, read_array
   use headrace_cells, only : text_cells, put, get, cell_text, close
   use headrace_status, only : hr_stat
   use headrace_strings, only : get
   use headrace_tables, only : text_table, read_table, write_table, get, put, close, column_type
   use checks, only : check, check_status, finish
   implicit none
   integer(int64), parameter :: noon = 1262694600_int64
   type(text_table) :: table, other
   type(text_cells) :: cells
   character(len=200) :: message
   character(len=24) :: text(2)
   integer(int64) :: whole(2), one
   real(real64) :: seconds(2), x(1, 2)
   integer :: stat, unit

   open(newunit=unit, file="t.csv", action="write", status="replace")
   write(unit, "(a)") "day,time,quarter", "2010-01-05,2010-01-05T12:30:00.5Z,1974Q1", &
      & "2010-01,2010-01-05 13:30+01:00,1974Q2"
   close(unit)

   call read_table("t.csv", table)
   call check(column_type(table, "day") == "date", "dates")
   call check(column_type(table, "time") == "timestamp", "times")
   call check(column_type(table, "quarter") == "character", "quarters are texts")
   call get(table, "time", seconds, since="1970-01-01")
   call check(all(abs(seconds - [noon + 0.5_real64, real(noon, real64)]) <= 0), "seconds")
   call get(table, "day", whole, since="2010-01-01")
   call check(all(whole == [4 * 86400_int64, 0_int64]), "days as whole seconds")
   call get(table, "time", text)
   call check(text(2) == "2010-01-05 13:30+01:00", "times as texts")
   call get(table, "quarter", seconds, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%bad_number, message, "expected a real number")
   call get(table, "day", seconds, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%bad_number, message, "since=")
   call get(table, "time", whole, since="1970-01-01", iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%number_out_of_range, message, "fraction of a second")

   call put(other, "time", [noon, noon + 1], since="1970-01-01")
   call write_table("u.csv", other)
   call read_table("u.csv", other)
   call get(other, "time", text)
   call check(text(2) == "2010-01-05T12:30:01Z", "seconds as times")
   call write_table("t.csv", other, append=.true., iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%column_unknown, message, "other columns")
   call write_table("u.csv", other, append=.true.)

   call put(cells, seconds * 0 + 0.25_real64, since="2000-01-01T00:00Z", decimals=3)
   call check(cell_text(cells, 2, 1) == "2000-01-01T00:00:00.250Z", "seconds as cells")
   call get(cells, seconds, since="1999-12-31")
   call check(all(abs(seconds - 86400.25_real64) <= 0), "cells as seconds")
   call get("2010-01-05T12:30Z", one, since="1970-01-01")
   call check(one == noon, "a text as seconds")
   call get("2010-01", one, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%bad_number, message, "since=")

   x(1, :) = [1, 2]
   call write_array("x.csv", x, header=["a", "b"])
   call write_array("x.csv", x, header=["a", "b"], append="yes")
   call write_array("x.csv", x, header=["b", "a"], append="yes", iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%column_unknown, message, "other columns")
   call write_array("x.csv", x, delimiter=";", append="yes", iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%row_length, message, "columns")

   open(newunit=unit, file="n.csv", action="write", status="replace")
   write(unit, "(a)") "1,2", "3,4"
   close(unit)
   call read_table("n.csv", table, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%column_unknown, message, "header=")
   call read_table("n.csv", table, header=.true.)
   call read_table("n.csv", table, header="no")

   call close(table)
   call close(other)
   call close(cells)
   call finish()
end program text_table_has_dates_and_times
