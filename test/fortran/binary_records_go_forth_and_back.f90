! A file of records through record_file, and the same file through Fortran's own statements.
program binary_records_go_forth_and_back
   use, intrinsic :: iso_fortran_env, only : int32, int64, iostat_end, real64
   use headrace, only : close_records, count_records, go_to_record, hr_stat, next_record, &
      & open_records, read_record, read_records, record_file, skip_records, write_record, &
      & write_records
   use checks, only : check, finish
   implicit none

   type(record_file) :: file, copy
   real(real64) :: x(3, 5), y(3, 5), table(2, 1000), back(2, 1000), scalars(7)
   integer(int32) :: header(3)
   integer(int64) :: bytes, count, next
   integer :: stat, unit, i
   character(len=200) :: message

   call random_number(x)
   call random_number(table)
   call random_number(scalars)
   call write_with_headrace()
   call read_with_fortran()
   call read_with_headrace()
   call append_with_headrace()
   call refuse()
   call finish()

contains

subroutine write_with_headrace()
   call open_records(file, "run.unf", action="write", iostat=stat)
   call check(stat == 0, "a file is opened for writing")
   call write_record(file, [1_int32, 2_int32, 3_int32])
   call write_record(file, x(:, ::2))
   call write_records(file, table)
   call write_records(file, scalars)
   call close_records(file)
end subroutine write_with_headrace

subroutine read_with_fortran()
   real(real64) :: one(2), value, half(3, 3)
   logical :: right

   open(newunit=unit, file="run.unf", form="unformatted", status="old", action="read")
   read(unit) header
   call check(all(header == [1, 2, 3]), "Fortran reads the first record")
   read(unit) half
   call check(all(half == x(:, ::2)), "Fortran reads the record of a section")
   right = .true.
   do i = 1, size(table, 2)
      read(unit) one
      right = right .and. all(one == table(:, i))
   end do
   call check(right, "Fortran reads a record for each column")
   do i = 1, size(scalars)
      read(unit) value
      right = right .and. value == scalars(i)
   end do
   call check(right, "Fortran reads a record for each element")
   read(unit, iostat=stat) value
   call check(stat == iostat_end, "there are no more records")
   close(unit)
end subroutine read_with_fortran

subroutine read_with_headrace()
   call open_records(file, "run.unf")
   call next_record(file, bytes)
   call check(bytes == 12, "the next length is told")
   header = 0
   call read_record(file, header)
   call check(all(header == [1, 2, 3]), "a record is read")
   y = 0
   call read_record(file, y(:, 5:1:-2))
   call check(all(y(:, 5:1:-2) == x(:, ::2)) .and. all(y(:, 2:4:2) == 0), "a section is filled")
   back = 0
   call read_records(file, back)
   call check(all(back == table), "many records are read as one array")
   call count_records(file, count, next)
   call check(count == 1009 .and. next == 1003, "records are counted")
   call skip_records(file, -2)
   call read_record(file, back(:, 1))
   call check(all(back(:, 1) == table(:, 999)), "skipping goes back")
   call go_to_record(file, 2_int64)
   call next_record(file, bytes)
   call check(bytes == 72, "a record is reached by its number")
   call go_to_record(file, 1010)
   call next_record(file, bytes, iostat=stat)
   call check(stat == iostat_end, "behind the last record is the end")
   call close_records(file)
end subroutine read_with_headrace

subroutine append_with_headrace()
   call open_records(file, "run.unf", action="append")
   call write_record(file, 42_int32)
   call close_records(file)
   call open_records(file, "run.unf", byte_order="auto", record_marker=0)
   call go_to_record(file, 1010)
   call read_record(file, i)
   call check(i == 42, "an appended record is there, and the dialect was found out")
   call go_to_record(file, 1)
   call next_record(file, bytes)
   call check(bytes == 12, "the old records are there")
   call close_records(file)
end subroutine append_with_headrace

subroutine refuse()
   call open_records(file, "run.unf")
   header = 7
   call read_record(file, header(:2), iostat=stat, iomsg=message)
   call check(stat == hr_stat%record_size_mismatch, "a record of another size is refused")
   call check(index(message, "12 bytes") > 0 .and. all(header == 7), "the array is untouched")
   call read_record(file, header, iostat=stat)
   call check(stat == 0, "the record comes again")
   call skip_records(file, 5000, iostat=stat, iomsg=message)
   call check(stat == hr_stat%record_missing, "nobody skips beyond the end")
   copy = file
   call close_records(file)
   call read_record(copy, header, iostat=stat)
   call check(stat == hr_stat%handle_closed, "a closed handle is refused")
   call open_records(file, "run.unf", action="wipe", iostat=stat)
   call check(stat == hr_stat%option_unknown, "an unknown action is refused")
   call open_records(file, "missing.unf", iostat=stat, iomsg=message)
   call check(stat == 2 .and. index(message, "missing.unf") > 0, "a missing file is named")
end subroutine refuse

end program binary_records_go_forth_and_back
