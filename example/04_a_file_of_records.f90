program a_file_of_records
   use, intrinsic :: iso_fortran_env, only : int64, real64
   use headrace, only : close_records, count_records, go_to_record, next_record, open_records, &
      & read_record, record_file, write_record, write_records
   implicit none
   type(record_file) :: file
   real(real64) :: field(100, 50), row(100)
   integer(int64) :: bytes, records

   call random_number(field)
   call open_records(file, "run.unf", action="write")
   call write_record(file, shape(field))   ! what READ(unit) n, m reads
   call write_records(file, field)         ! a record for each column, as 50 WRITE statements do
   call close_records(file)                ! only now the file appears under its name

   call open_records(file, "run.unf")
   call count_records(file, records)
   call go_to_record(file, 31)
   call next_record(file, bytes)           ! the length comes without the data
   call read_record(file, row)
   call close_records(file)
   print "(i0, a, i0, a, l1)", records, " records; record 31 has ", bytes, " bytes, equal: ", &
      & all(row == field(:, 30))
end program a_file_of_records
