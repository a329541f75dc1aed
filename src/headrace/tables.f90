!> Tables have columns of different types and kinds, with names.
!>
!>     use headrace_text, only : text_table, read_table, get, row_count, close
!>     type(text_table) :: stars
!>     character(len=20), allocatable :: name(:)
!>     real, allocatable :: mass(:)
!>     integer(int64), allocatable :: seen(:)
!>
!>     call read_table("stars.csv", stars)
!>     allocate(name(row_count(stars)), mass(row_count(stars)), seen(row_count(stars)))
!>     call get(stars, "name", name)
!>     call get(stars, "mass", mass, missing="nan")
!>     call get(stars, "seen", seen, since="1970-01-01")    ! seconds; the cells: 2010-01-05T12:30
!>     call close(stars)
!>
!> A table is a handle: a copy of the variable is the same table, and a table that was closed gives
!> `hr_stat%handle_closed`. The cells of a file stay texts in one buffer, with four bytes a cell
!> beside them; each `get` makes one column an array of the type and kind that it receives.
!>
!> Next: ../bindings/tables.cpp, where the procedures arrive; cells.f90 for cells without names.
module headrace_tables
   use, intrinsic :: iso_c_binding, only : c_char, c_int, c_int64_t, c_size_t
   use headrace_kept_text, only : report_failure, taken_text
   implicit none
   private

   public :: text_table
   public :: read_table, write_table, get, put, close
   public :: row_count, column_count, column_name, column_type, column_length

   ! What still repeats in the modules of headrace and headrace_text, Fortran 2018 asks for:
   ! - An interface body declares all of its arguments itself, common ones such as iostat and iomsg
   !   too. Bodies of the same arguments cannot be one: gfortran 12 passes wrong descriptors to
   !   what procedure(interface) declares.
   ! - A bind(c) function has no result of deferred length: functions with a text as their result
   !   are Fortran procedures.
   ! - flang 19 has no assumed-rank arguments in Fortran procedures ("not yet implemented"): there,
   !   a column by name and by number are two procedures.
   ! - class(*) reaches C++ without its type with gfortran 12: str selects the type.
   ! - class(*) in either operand makes an operator ambiguous: a value before a text is a
   !   procedure a kind (string_operators.f90).
   ! - An allocatable argument has one type and kind: load.f90 has a body for each.

   !> A table; empty until read_table or put fills it. To be closed, once
   type, bind(c) :: text_table
      private
      integer(c_int64_t) :: handle = 0
   end type text_table

   !> Read a file of delimited cells (RFC 4180) as a table.
   !>
   !> Cells in double quotes may hold delimiters, line ends and doubled quotes. Lines end with LF or
   !> CR LF, the last one may lack its end; blank lines are skipped, a UTF-8 byte order mark too.
   !> Rows of different lengths (`row_length`), quotes that do not end (`quote_unbalanced`), UTF-16,
   !> NUL bytes and line ends of carriage returns only (`text_encoding`) are refused with file, line
   !> and column. `.gz` and `.zst` are decompressed.
   interface read_table
      subroutine hr_fortran_read_table(file, table, delimiter, header, quote, comment, &
            & decimal, missing, skip_rows, threads, iostat, iomsg) &
            & bind(c, name="hr_fortran_read_table")
         import :: c_char, c_int, text_table
         implicit none
         !> File name; trailing blanks are ignored
         character(kind=c_char, len=*), intent(in) :: file
         !> Receives the table; what it held before is lost
         type(text_table), intent(inout) :: table
         !> Between cells: one character, "tab" or "blank" (any number of blanks and tabs). Default:
         !> comma; tab in .tsv, blank in .txt and .dat, semicolon with decimal=","
         character(kind=c_char, len=*), intent(in), optional :: delimiter
         !> .true. or "yes": the first row has the names of the columns, .false. or "no": they are
         !> "1", "2", ... Default: it has the names, and is refused if it looks like data
         !> (`column_unknown`): numbers, dates and stars only, missing values only, a number with a
         !> decimal sign, or a number (a date) above a number (a date); years in equal steps above
         !> others are names
         type(*), dimension(..), intent(in), optional :: header
         !> Quote character, or "none": quotes are characters like others
         character(kind=c_char, len=*), intent(in), optional :: quote
         !> One character: it and what follows in its line are ignored. Default: no comments
         character(kind=c_char, len=*), intent(in), optional :: comment
         !> Decimal point of the numbers: "." (default) or ","
         character(kind=c_char, len=*), intent(in), optional :: decimal
         !> Texts that stand for an empty cell, with commas between them: "-999,xx", beside NA, N/A,
         !> #N/A, #NA, <NA>, null and None in any case; one that is a number stands for that value
         character(kind=c_char, len=*), intent(in), optional :: missing
         !> Number of lines to skip at the beginning
         integer(c_int), intent(in), optional :: skip_rows
         !> Number of threads; default: OpenMP's rules, all cores outside of parallel regions
         integer(c_int), intent(in), optional :: threads
         !> 0, errno of the system, or a value of hr_stat; without it a failure stops the program
         integer(c_int), intent(out), optional :: iostat
         !> What went wrong and what to do; untouched on success
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_read_table
   end interface read_table

   !> Write a table, whole or not at all; columns in the order in which they were put.
   !>
   !> Cells are quoted only if they need it. `.gz` and `.zst` compress. A table without columns
   !> is refused (`argument_invalid`), a closed one too (`handle_closed`).
   interface write_table
      subroutine hr_fortran_write_table(file, table, delimiter, header, quote, append, &
            & threads, level, iostat, iomsg) bind(c, name="hr_fortran_write_table")
         import :: c_char, c_int, text_table
         implicit none
         !> File name; trailing blanks are ignored
         character(kind=c_char, len=*), intent(in) :: file
         !> What to write
         type(text_table), intent(in) :: table
         !> Between cells: one character, "tab" or "blank". Default: comma; tab in .tsv, blank in
         !> .txt and .dat
         character(kind=c_char, len=*), intent(in), optional :: delimiter
         !> .true. or "yes": a first row with the names of the columns. Default: the same, but
         !> none for a table that was read with header="no"
         type(*), dimension(..), intent(in), optional :: header
         !> Quote character, or "none"
         character(kind=c_char, len=*), intent(in), optional :: quote
         !> .true. or "yes": rows behind those of the file, which gets no second header. Its columns
         !> must be those of the table, in their order (`column_unknown`, `row_length`), and have
         !> cells of their types, with their decimal sign (`bad_number`)
         type(*), dimension(..), intent(in), optional :: append
         !> Number of threads; default: OpenMP's rules, all cores outside of parallel regions
         integer(c_int), intent(in), optional :: threads
         !> Of compression, 1 (fastest) to 9 (.gz) or 19 (.zst) (smallest); default: 6 or 3.
         !> Other files: `option_unknown`
         integer(c_int), intent(in), optional :: level
         !> 0, errno of the system, or a value of hr_stat; without it a failure stops the program
         integer(c_int), intent(out), optional :: iostat
         !> What went wrong and what to do; untouched on success
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_write_table
   end interface write_table

   !> Read a column of a table into an array.
   !>
   !> No such column: `column_unknown`; another number of rows: `row_count`; a closed table:
   !> `handle_closed`. Messages about cells name file, line and column.
   interface get
      subroutine hr_fortran_table_get(table, column, array, missing, fmt, decimal, imaginary, &
            & since, threads, iostat, iomsg) bind(c, name="hr_fortran_table_get")
         import :: c_char, c_int, text_table
         implicit none
         !> The table
         type(text_table), intent(in) :: table
         !> Name of the column, trailing blanks are ignored; or its number, from 1, an integer of
         !> any kind. Anything else: `option_unknown`
         type(*), dimension(..), intent(in) :: column
         !> A variable of array rank 1 with as many elements as the table has rows, any type and
         !> kind; every cell must fit it (`bad_number`, `number_out_of_range`, `missing_value`).
         !> After such a failure a part of it may have been read
         type(*), dimension(..), intent(inout) :: array
         !> What an empty cell is: "error" (default), "nan", or a value as text or number. A text
         !> goes on with others that are empty cells, too: "nan,-999,xx"
         type(*), dimension(..), intent(in), optional :: missing
         !> "z" for the bits in hexadecimal; everything else is found out
         character(kind=c_char, len=*), intent(in), optional :: fmt
         !> Decimal point, when it is not the one of the file
         character(kind=c_char, len=*), intent(in), optional :: decimal
         !> Imaginary unit of complex numbers, such as "j"; default: whatever is there
         character(kind=c_char, len=*), intent(in), optional :: imaginary
         !> An epoch such as "1970-01-01": the cells are dates and times of ISO 8601, and the array
         !> of real64 or int64 receives seconds since then (`bad_number`, `kind_unsupported`)
         character(kind=c_char, len=*), intent(in), optional :: since
         !> Number of threads; default: OpenMP's rules, all cores outside of parallel regions
         integer(c_int), intent(in), optional :: threads
         !> 0, errno of the system, or a value of hr_stat; without it a failure stops the program
         integer(c_int), intent(out), optional :: iostat
         !> What went wrong and what to do; untouched on success
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_table_get
   end interface get

   !> Put an array into a table as a column: a new one behind the others, or instead of that name.
   !>
   !> Another number of elements than the table has rows: `row_count`. Kinds without decimal text,
   !> such as real128: `kind_unsupported`.
   interface put
      subroutine hr_fortran_table_put(table, column, array, fmt, decimals, decimal, &
            & imaginary, since, threads, iostat, iomsg) bind(c, name="hr_fortran_table_put")
         import :: c_char, c_int, text_table
         implicit none
         !> The table; its first column decides the number of rows
         type(text_table), intent(inout) :: table
         !> Name of the column; trailing blanks are ignored
         character(kind=c_char, len=*), intent(in) :: column
         !> An array of array rank 1, any type; characters lose blanks and null bytes at their end
         type(*), dimension(..), intent(in) :: array
         !> For reals "g" (default: the shortest text that reads back exactly), "e" (1.25e+00), "f"
         !> (1.25); for integers "i", for both "z" (the bits in hexadecimal)
         character(kind=c_char, len=*), intent(in), optional :: fmt
         !> Places after the point ("g": significant digits), 0 to 400, rounded correctly; default:
         !> as many as it takes to read back exactly
         integer(c_int), intent(in), optional :: decimals
         !> Decimal point: "." (default) or ","
         character(kind=c_char, len=*), intent(in), optional :: decimal
         !> Imaginary unit, default "j" (1.5-2.0j); "": (1.5,-2.0)
         character(kind=c_char, len=*), intent(in), optional :: imaginary
         !> An epoch such as "1970-01-01": the array of real64 or int64 is seconds since then, and
         !> becomes dates and times of ISO 8601 (2010-01-05T12:30:00Z; NaN: nothing). decimals: of
         !> a second, 0 to 9
         character(kind=c_char, len=*), intent(in), optional :: since
         !> Number of threads; default: OpenMP's rules, all cores outside of parallel regions
         integer(c_int), intent(in), optional :: threads
         !> 0, errno of the system, or a value of hr_stat; without it a failure stops the program
         integer(c_int), intent(out), optional :: iostat
         !> What went wrong and what to do; untouched on success
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_table_put
   end interface put

   !> Number of rows of a table, without the header, as integer(int64).
   interface row_count
      function hr_fortran_table_rows(table, iostat, iomsg) bind(c, name="hr_fortran_table_rows")
         import :: c_char, c_int, c_int64_t, text_table
         implicit none
         !> What to ask
         type(text_table), intent(in) :: table
         !> 0, or a value of hr_stat; without it a failure stops the program
         integer(c_int), intent(out), optional :: iostat
         !> What went wrong and what to do; untouched on success
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
         !> -1 after a failure with iostat
         integer(c_int64_t) :: hr_fortran_table_rows
      end function hr_fortran_table_rows
   end interface row_count

   !> Number of columns of a table, as integer(int64).
   interface column_count
      function hr_fortran_table_columns(table, iostat, iomsg) &
            & bind(c, name="hr_fortran_table_columns")
         import :: c_char, c_int, c_int64_t, text_table
         implicit none
         !> What to ask
         type(text_table), intent(in) :: table
         !> 0, or a value of hr_stat; without it a failure stops the program
         integer(c_int), intent(out), optional :: iostat
         !> What went wrong and what to do; untouched on success
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
         !> -1 after a failure with iostat
         integer(c_int64_t) :: hr_fortran_table_columns
      end function hr_fortran_table_columns
   end interface column_count

   !> Give the memory of a table back. Closing one that was never filled, or the same variable
   !> twice, is no error; another copy of it gives `handle_closed`.
   interface close
      subroutine hr_fortran_close_table(table, iostat, iomsg) bind(c, name="hr_fortran_close_table")
         import :: c_char, c_int, text_table
         implicit none
         !> The table; copies of the variable are closed, too
         type(text_table), intent(inout) :: table
         !> 0, errno of the system, or a value of hr_stat; without it a failure stops the program
         integer(c_int), intent(out), optional :: iostat
         !> What went wrong and what to do; untouched on success
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_close_table
   end interface close

   !> "integer", "real", "date", "timestamp", "logical" or "character": the first that all cells of
   !> a column are, empty ones aside. Columns by name or by number, from 1.
   interface column_type
      module procedure column_type_of_name, column_type_of_number
   end interface column_type

   !> Bytes of the longest cell of a column: the length of characters that hold it.
   interface column_length
      function hr_fortran_column_length(table, column, iostat, iomsg) &
            & bind(c, name="hr_fortran_column_length")
         import :: c_char, c_int, c_int64_t, text_table
         implicit none
         !> The table
         type(text_table), intent(in) :: table
         !> Name of the column, or its number, as in get (`column_unknown`)
         type(*), dimension(..), intent(in) :: column
         !> 0, or a value of hr_stat; without it a failure stops the program
         integer(c_int), intent(out), optional :: iostat
         !> What went wrong and what to do; untouched on success
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
         !> -1 after a failure with iostat
         integer(c_int64_t) :: hr_fortran_column_length
      end function hr_fortran_column_length
   end interface column_length

   interface
      subroutine hr_fortran_column_name(table, column, length) &
            & bind(c, name="hr_fortran_column_name")
         import :: c_size_t, text_table
         implicit none
         type(text_table), intent(in) :: table
         type(*), dimension(..), intent(in) :: column
         integer(c_size_t), intent(out) :: length
      end subroutine hr_fortran_column_name

      subroutine hr_fortran_column_type(table, column, length) &
            & bind(c, name="hr_fortran_column_type")
         import :: c_size_t, text_table
         implicit none
         type(text_table), intent(in) :: table
         type(*), dimension(..), intent(in) :: column
         integer(c_size_t), intent(out) :: length
      end subroutine hr_fortran_column_type
   end interface

contains

!> Name of a column; empty after a failure (`column_unknown`, `handle_closed`)
function column_name(table, column, iostat, iomsg) result(text)
   !> The table
   type(text_table), intent(in) :: table
   !> Number of the column, from 1
   integer(c_int), intent(in) :: column
   !> 0, or a value of hr_stat; without it a failure stops the program
   integer(c_int), intent(out), optional :: iostat
   !> What went wrong and what to do; untouched on success
   character(kind=c_char, len=*), intent(inout), optional :: iomsg
   character(len=:), allocatable :: text
   integer(c_size_t) :: length

   call hr_fortran_column_name(table, column, length)
   text = taken_text(length)
   call report_failure(iostat, iomsg)
end function column_name

!> Type of the column of a name; empty after a failure (`column_unknown`, `handle_closed`)
function column_type_of_name(table, column, iostat, iomsg) result(text)
   !> The table
   type(text_table), intent(in) :: table
   !> Name of the column; trailing blanks are ignored
   character(kind=c_char, len=*), intent(in) :: column
   !> 0, or a value of hr_stat; without it a failure stops the program
   integer(c_int), intent(out), optional :: iostat
   !> What went wrong and what to do; untouched on success
   character(kind=c_char, len=*), intent(inout), optional :: iomsg
   character(len=:), allocatable :: text
   integer(c_size_t) :: length

   call hr_fortran_column_type(table, column, length)
   text = taken_text(length)
   call report_failure(iostat, iomsg)
end function column_type_of_name

!> Type of the column of a number; empty after a failure (`column_unknown`, `handle_closed`)
function column_type_of_number(table, column, iostat, iomsg) result(text)
   !> The table
   type(text_table), intent(in) :: table
   !> Number of the column, from 1
   integer(c_int), intent(in) :: column
   !> 0, or a value of hr_stat; without it a failure stops the program
   integer(c_int), intent(out), optional :: iostat
   !> What went wrong and what to do; untouched on success
   character(kind=c_char, len=*), intent(inout), optional :: iomsg
   character(len=:), allocatable :: text
   integer(c_size_t) :: length

   call hr_fortran_column_type(table, column, length)
   text = taken_text(length)
   call report_failure(iostat, iomsg)
end function column_type_of_number

end module headrace_tables
