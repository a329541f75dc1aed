!> Fast Fortran I/O, measured.
!>
!>     program write_and_read_an_array
!>        use headrace, only : load_array, read_array, write_array
!>        implicit none
!>        real :: x(1000, 3), y(500, 3), difference
!>        real, allocatable :: table(:, :)
!>
!>        call random_number(x)
!>        call write_array("field.csv", x)           ! text: the shortest that reads back exactly
!>        call write_array("field.raw", x(::2, :))   ! any type, kind, array rank and section
!>
!>        call load_array("field.csv", table)
!>        call read_array("field.raw", y)
!>        difference = max(maxval(abs(table - x)), maxval(abs(y - x(::2, :))))
!>        print "(a, es8.1)", "largest difference:", difference
!>     end program write_and_read_an_array
!>
!> This module is the whole interface. Next: headrace/arrays.f90, the two verbs and their arguments.
module headrace
   use headrace_arrays, only : write_array, read_array
   use headrace_load, only : load_array, load_names
   use headrace_records, only : record_file, open_records, close_records, next_record, &
      & read_record, read_records, write_record, write_records, skip_records, go_to_record, &
      & count_records
   use headrace_rows, only : text_writer, text_reader, open_text, write_rows, read_rows, &
      & close_text, progress_function
   use headrace_status, only : hr_stat
   implicit none
   private

   public :: write_array, read_array, load_array, load_names
   public :: record_file, open_records, close_records
   public :: next_record, read_record, read_records, write_record, write_records
   public :: skip_records, go_to_record, count_records
   public :: text_writer, text_reader, open_text, write_rows, read_rows, close_text
   public :: progress_function
   public :: hr_stat

end module headrace
