!> Cells are an array of texts of any lengths, rows times columns, in one buffer.
!>
!>     use headrace_text, only : text_cells, put, get, read_file, write_file, close
!>     type(text_cells) :: cells
!>     real :: x(1000, 20), y(1000, 20)
!>
!>     call put(cells, x, fmt="z")          ! numbers to texts
!>     call write_file("x.csv", cells)
!>     call read_file("x.csv", cells)
!>     call get(cells, y, fmt="z")          ! texts to numbers
!>     call close(cells)
!>
!> Cells are a handle: a copy of the variable is the same cells, and cells that were closed give
!> `hr_stat%handle_closed`. Rows and columns count from 1. Next: ../bindings/cells.cpp,
!> and cell_edits.f90, which changes cells.
module headrace_cells
   use, intrinsic :: iso_c_binding, only : c_char, c_int, c_int64_t, c_size_t
   use headrace_kept_text, only : report_failure, taken_text
   implicit none
   private

   public :: text_cells
   public :: put, get, read_file, write_file, close
   public :: row_count, column_count, len64, cell_text, set_cell

   !> An array of texts; empty until put, read_file or split fills it. To be closed, once
   type, bind(c) :: text_cells
      private
      integer(c_int64_t) :: handle = 0
   end type text_cells

   !> Fill cells with the elements of an array: row i holds array(i, :), array rank 1 is a column.
   !>
   !> Higher ranks: the first dimension along a row, rows in element order. Kinds without decimal
   !> text, such as real128, need fmt="z" (`kind_unsupported`).
   interface put
      subroutine hr_fortran_cells_put(cells, array, fmt, decimals, decimal, imaginary, since, &
            & append, along, threads, iostat, iomsg) bind(c, name="hr_fortran_cells_put")
         import :: c_char, c_int, text_cells
         implicit none
         !> Receives the texts; what it held before is lost
         type(text_cells), intent(inout) :: cells
         !> Any type and kind; characters lose trailing blanks
         type(*), dimension(..), intent(in) :: array
         !> For reals "g" (default: the shortest text that reads back exactly), "e" (1.25e+00), "f"
         !> (1.25); for integers "i", for both "z" (the bits in hexadecimal)
         character(kind=c_char, len=*), intent(in), optional :: fmt
         !> Places after the point ("g": significant digits), 0 to 400, rounded correctly; default:
         !> as many as it takes to read back exactly
         integer(c_int), intent(in), optional :: decimals
         !> Decimal point: "." (default) or ","
         character(kind=c_char, len=*), intent(in), optional :: decimal
         !> Imaginary unit such as "j" for 1.5-2.0j; default: (1.5,-2.0)
         character(kind=c_char, len=*), intent(in), optional :: imaginary
         !> An epoch such as "1970-01-01": the array of real64 or int64 is seconds since then, and
         !> becomes dates and times of ISO 8601 (2010-01-05T12:30:00Z; NaN: nothing). decimals: of
         !> a second, 0 to 9
         character(kind=c_char, len=*), intent(in), optional :: since
         !> .true. or "yes": add rows below those that are there, as long as they (`row_length`)
         type(*), dimension(..), intent(in), optional :: append
         !> "column" (default), or "row": an array of array rank 1 is a row of cells
         character(kind=c_char, len=*), intent(in), optional :: along
         !> Number of threads; default: OpenMP's rules, all cores outside of parallel regions
         integer(c_int), intent(in), optional :: threads
         !> 0, errno or a value of hr_stat; without it a failure stops the program
         integer(c_int), intent(out), optional :: iostat
         !> What went wrong and what to do; untouched on success
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_cells_put
   end interface put

   !> Read cells into an array of any type and kind; the first that does not fit is named.
   !>
   !> Without `row` and `column` the array must have the rows and columns of the cells; with them it
   !> receives the rectangle that begins there (`row_count`, `row_length` when it is larger than the
   !> cells). Cells that do not fit: `bad_number`, `number_out_of_range`, `missing_value`.
   interface get
      subroutine hr_fortran_cells_get(cells, array, row, column, fmt, decimal, imaginary, since, &
            & missing, along, threads, iostat, iomsg) bind(c, name="hr_fortran_cells_get")
         import :: c_char, c_int, text_cells
         implicit none
         !> The cells
         type(text_cells), intent(in) :: cells
         !> Where to read to; after a failure part of it may have been read
         type(*), dimension(..), intent(inout) :: array
         !> First row and first column to read, from 1
         integer(c_int), intent(in), optional :: row, column
         !> "z" for the bits in hexadecimal; everything else is found out
         character(kind=c_char, len=*), intent(in), optional :: fmt
         !> Decimal point: "." (default) or ","
         character(kind=c_char, len=*), intent(in), optional :: decimal
         !> Imaginary unit of complex numbers, such as "j"; default: whatever is there
         character(kind=c_char, len=*), intent(in), optional :: imaginary
         !> An epoch such as "1970-01-01": the cells are dates and times of ISO 8601, and the array
         !> of real64 or int64 receives seconds since then (`bad_number`, `kind_unsupported`)
         character(kind=c_char, len=*), intent(in), optional :: since
         !> What an empty cell is: "error" (default), "nan", or a value as text or number
         type(*), dimension(..), intent(in), optional :: missing
         !> "column" (default), or "row": an array of array rank 1 is a row of cells
         character(kind=c_char, len=*), intent(in), optional :: along
         !> Number of threads; default: OpenMP's rules, all cores outside of parallel regions
         integer(c_int), intent(in), optional :: threads
         !> 0, errno or a value of hr_stat; without it a failure stops the program
         integer(c_int), intent(out), optional :: iostat
         !> What went wrong and what to do; untouched on success
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_cells_get
   end interface get

   !> Read a file as cells: what stands between separators, as it is.
   !>
   !> All rows must have as many cells as the first (`row_length`). A last row needs no separator
   !> behind it. `.gz` and `.zst` are decompressed.
   interface read_file
      subroutine hr_fortran_cells_read(file, cells, column_separator, row_separator, iostat, &
            & iomsg) bind(c, name="hr_fortran_cells_read")
         import :: c_char, c_int, text_cells
         implicit none
         !> File name; trailing blanks are ignored
         character(kind=c_char, len=*), intent(in) :: file
         !> Receives the cells; what it held before is lost
         type(text_cells), intent(inout) :: cells
         !> Between the cells of a row, any length; default: a comma
         character(kind=c_char, len=*), intent(in), optional :: column_separator
         !> After each row, any length; default: a line feed
         character(kind=c_char, len=*), intent(in), optional :: row_separator
         !> 0, errno or a value of hr_stat; without it a failure stops the program
         integer(c_int), intent(out), optional :: iostat
         !> What went wrong and what to do; untouched on success
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_cells_read
   end interface read_file

   !> Write cells with separators between them; whole or not at all. `.gz` and `.zst` compress.
   interface write_file
      subroutine hr_fortran_cells_write(file, cells, column_separator, row_separator, append, &
            & iostat, iomsg) bind(c, name="hr_fortran_cells_write")
         import :: c_char, c_int, text_cells
         implicit none
         !> File name; trailing blanks are ignored
         character(kind=c_char, len=*), intent(in) :: file
         !> What to write
         type(text_cells), intent(in) :: cells
         !> Between the cells of a row, any length; default: a comma
         character(kind=c_char, len=*), intent(in), optional :: column_separator
         !> After each row, any length; default: a line feed
         character(kind=c_char, len=*), intent(in), optional :: row_separator
         !> .true. or "yes": behind what the file holds
         type(*), dimension(..), intent(in), optional :: append
         !> 0, errno or a value of hr_stat; without it a failure stops the program
         integer(c_int), intent(out), optional :: iostat
         !> What went wrong and what to do; untouched on success
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_cells_write
   end interface write_file

   !> Number of rows of cells, as integer(int64).
   interface row_count
      function hr_fortran_cells_rows(cells, iostat, iomsg) bind(c, name="hr_fortran_cells_rows")
         import :: c_char, c_int, c_int64_t, text_cells
         implicit none
         !> What to ask
         type(text_cells), intent(in) :: cells
         !> 0, or a value of hr_stat; without it a failure stops the program
         integer(c_int), intent(out), optional :: iostat
         !> What went wrong and what to do; untouched on success
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
         !> -1 after a failure with iostat
         integer(c_int64_t) :: hr_fortran_cells_rows
      end function hr_fortran_cells_rows
   end interface row_count

   !> Number of columns of cells, as integer(int64).
   interface column_count
      function hr_fortran_cells_columns(cells, iostat, iomsg) &
            & bind(c, name="hr_fortran_cells_columns")
         import :: c_char, c_int, c_int64_t, text_cells
         implicit none
         !> What to ask
         type(text_cells), intent(in) :: cells
         !> 0, or a value of hr_stat; without it a failure stops the program
         integer(c_int), intent(out), optional :: iostat
         !> What went wrong and what to do; untouched on success
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
         !> -1 after a failure with iostat
         integer(c_int64_t) :: hr_fortran_cells_columns
      end function hr_fortran_cells_columns
   end interface column_count

   !> Bytes of all texts with one for each separator, as integer(int64): the size of the file that
   !> write_file writes.
   interface len64
      function hr_fortran_cells_len64(cells, iostat, iomsg) bind(c, name="hr_fortran_cells_len64")
         import :: c_char, c_int, c_int64_t, text_cells
         implicit none
         !> What to ask
         type(text_cells), intent(in) :: cells
         !> 0, or a value of hr_stat; without it a failure stops the program
         integer(c_int), intent(out), optional :: iostat
         !> What went wrong and what to do; untouched on success
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
         !> -1 after a failure with iostat
         integer(c_int64_t) :: hr_fortran_cells_len64
      end function hr_fortran_cells_len64
   end interface len64

   !> Change the text of one cell. Costs a copy of its block, some 4 MiB: not for all cells in turn.
   interface set_cell
      subroutine hr_fortran_set_cell(cells, row, column, text, iostat, iomsg) &
            & bind(c, name="hr_fortran_set_cell")
         import :: c_char, c_int, text_cells
         implicit none
         !> The cells
         type(text_cells), intent(in) :: cells
         !> Which cell, from 1 (`argument_invalid`: there is none)
         integer(c_int), intent(in) :: row, column
         !> The new text, trailing blanks too
         character(kind=c_char, len=*), intent(in) :: text
         !> 0, errno or a value of hr_stat; without it a failure stops the program
         integer(c_int), intent(out), optional :: iostat
         !> What went wrong and what to do; untouched on success
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_set_cell
   end interface set_cell

   !> Give the memory of cells back. Closing cells that were never filled, or the same variable
   !> twice, is no error; another copy of it gives `handle_closed`.
   interface close
      subroutine hr_fortran_close_cells(cells, iostat, iomsg) bind(c, name="hr_fortran_close_cells")
         import :: c_char, c_int, text_cells
         implicit none
         !> The cells; copies of the variable are closed, too
         type(text_cells), intent(inout) :: cells
         !> 0, errno or a value of hr_stat; without it a failure stops the program
         integer(c_int), intent(out), optional :: iostat
         !> What went wrong and what to do; untouched on success
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_close_cells
   end interface close

   interface
      subroutine hr_fortran_cell_text(cells, row, column, length) &
            & bind(c, name="hr_fortran_cell_text")
         import :: c_char, c_int, c_size_t, text_cells
         implicit none
         type(text_cells), intent(in) :: cells
         integer(c_int), intent(in) :: row, column
         integer(c_size_t), intent(out) :: length
      end subroutine hr_fortran_cell_text
   end interface

contains

!> The text of one cell; empty after a failure (`argument_invalid`: there is no such cell)
function cell_text(cells, row, column, iostat, iomsg) result(text)
   !> The cells
   type(text_cells), intent(in) :: cells
   !> Row and column of the cell, from 1
   integer(c_int), intent(in) :: row, column
   !> 0, or a value of hr_stat; without it a failure stops the program
   integer(c_int), intent(out), optional :: iostat
   !> What went wrong and what to do; untouched on success
   character(kind=c_char, len=*), intent(inout), optional :: iomsg
   character(len=:), allocatable :: text
   integer(c_size_t) :: length

   call hr_fortran_cell_text(cells, row, column, length)
   text = taken_text(length)
   call report_failure(iostat, iomsg)
end function cell_text

end module headrace_cells
