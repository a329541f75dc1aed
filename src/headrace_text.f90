!> Tables, cells and strings, for files that are more than one array of numbers.
!>
!>     type(text_table) :: stars
!>     real, allocatable :: mass(:)
!>
!>     call read_table("stars.csv", stars)
!>     allocate(mass(row_count(stars)))
!>     call get(stars, "mass", mass, missing="nan")
!>     call close(stars)
!>
!> A module of its own, because its names are short: import what you use with `only`. Arrays of
!> numbers alone need the module headrace.
!>
!> Next: headrace/tables.f90, headrace/cells.f90, headrace/strings.f90.
module headrace_text
   use headrace_cell_edits, only : split, join, replace_inplace, trim_inplace, push, &
      & repeat_inplace, count_text, print_cells, operator(==), operator(/=)
   use headrace_cells, only : text_cells, put, get, read_file, write_file, close, row_count, &
      & column_count, len64, cell_text, set_cell
   use headrace_status, only : hr_stat
   use headrace_string_operators, only : operator(//), operator(+), operator(-), operator(**), &
      & join, split, replace_inplace, trim_inplace, push, len64, NL, SPACE, CR, FF, VT, LF, TAB, &
      & HT, BELL, NUL
   use headrace_strings, only : str, get, aprint, replace, trimmed, count_text, read_file, &
      & write_file, echo
   use headrace_table_columns, only : load_column
   use headrace_tables, only : text_table, read_table, write_table, get, put, close, row_count, &
      & column_count, column_name, column_type, column_length
   implicit none
   private

   public :: text_table, read_table, write_table, column_name, column_type, column_length
   public :: load_column
   public :: text_cells, cell_text, set_cell, repeat_inplace, print_cells
   public :: get, put, close, row_count, column_count, len64
   public :: read_file, write_file, echo, str, aprint
   public :: split, join, replace, replace_inplace, trimmed, trim_inplace, push, count_text
   public :: operator(//), operator(+), operator(-), operator(**), operator(==), operator(/=)
   public :: NL, SPACE, CR, FF, VT, LF, TAB, HT, BELL, NUL
   public :: hr_stat

end module headrace_text
