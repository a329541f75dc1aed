!> Text files row by row, for arrays larger than memory.
!>
!>     type(text_writer) :: out
!>
!>     call open_text(out, "long.csv")
!>     do step = 1, steps
!>        call write_rows(out, chunk)      ! any array with the columns of the first
!>     end do
!>     call close_text(out)                ! only now the file appears under its name
!>
!> Handles are closed explicitly; a copy is the same handle, and using a closed one is the failure
!> `hr_stat%handle_closed`. Memory does not depend on the size of the file.
!>
!> Next: ../bindings/text_rows.cpp.
module headrace_rows
   use, intrinsic :: iso_c_binding, only : c_char, c_int, c_int64_t
   implicit none
   private

   public :: text_writer, text_reader
   public :: open_text, write_rows, read_rows, close_text
   public :: progress_function

   !> A text file that is being written
   type, bind(c) :: text_writer
      !> 0: not open
      integer(c_int64_t) :: handle = 0
   end type text_writer

   !> A text file that is being read
   type, bind(c) :: text_reader
      !> 0: not open
      integer(c_int64_t) :: handle = 0
   end type text_reader

   abstract interface
      !> Called between blocks while a file is read or written; 0 ends that (`hr_stat%interrupted`)
      function progress_function(done, total) bind(c) result(go_on)
         import :: c_int, c_int64_t
         implicit none
         !> Bytes of text so far, and in all; total is 0 when it is not known, as always in writing
         integer(c_int64_t), value, intent(in) :: done, total
         integer(c_int) :: go_on
      end function progress_function
   end interface

   !> Open a text file for writing or reading. Options as for write_array and read_array.
   interface open_text
      subroutine hr_fortran_open_writer(writer, file, number, delimiter, decimal, header, append, &
            & replace, threads, format, sync, progress, level, iostat, iomsg) &
            & bind(c, name="hr_fortran_open_writer")
         import :: c_char, c_int, progress_function, text_writer
         implicit none
         !> The handle
         type(text_writer), intent(out) :: writer
         !> File name; trailing blanks are ignored
         character(kind=c_char, len=*), intent(in) :: file
         !> "shortest" (default), "hex", or one edit descriptor
         character(kind=c_char, len=*), intent(in), optional :: number
         !> Between cells: one character, "tab" or "blank"
         character(kind=c_char, len=*), intent(in), optional :: delimiter
         !> "." (default) or ","
         character(kind=c_char, len=*), intent(in), optional :: decimal
         !> Names for the first line
         type(*), dimension(..), intent(in), optional :: header
         !> "no" (default), or "yes": rows after those of the file, as in write_array
         character(kind=c_char, len=*), intent(in), optional :: append
         !> "whole" (default), or "in_place"
         character(kind=c_char, len=*), intent(in), optional :: replace
         !> Number of threads
         integer(c_int), intent(in), optional :: threads
         !> "csv", "tsv" or "text"; default: the ending of the file name
         character(kind=c_char, len=*), intent(in), optional :: format
         !> "none" (default), or "file": close_text returns when the file is on the device
         character(kind=c_char, len=*), intent(in), optional :: sync
         !> Called between blocks, and at the end of every write_rows
         procedure(progress_function), optional :: progress
         !> Of compression, 1 (fastest) to 9 (.gz) or 19 (.zst) (smallest); default: 6 or 3.
         !> Other files: `option_unknown`
         integer(c_int), intent(in), optional :: level
         !> 0, errno of the system, or a value of hr_stat; without it a failure stops the program
         integer(c_int), intent(out), optional :: iostat
         !> What went wrong and what to do; untouched on success
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_open_writer

      subroutine hr_fortran_open_reader(reader, file, number, delimiter, decimal, header, comment, &
            & skip_rows, columns, missing, threads, format, progress, iostat, iomsg) &
            & bind(c, name="hr_fortran_open_reader")
         import :: c_char, c_int, progress_function, text_reader
         implicit none
         !> The handle
         type(text_reader), intent(out) :: reader
         !> File name; trailing blanks are ignored
         character(kind=c_char, len=*), intent(in) :: file
         !> "decimal" (default) or "hex"
         character(kind=c_char, len=*), intent(in), optional :: number
         !> Between cells: one character, "tab" or "blank"
         character(kind=c_char, len=*), intent(in), optional :: delimiter
         !> "." (default) or ","
         character(kind=c_char, len=*), intent(in), optional :: decimal
         !> "auto" (default), "yes" or "no", as in read_array
         character(kind=c_char, len=*), intent(in), optional :: header
         !> One character: it and the rest of its line are ignored
         character(kind=c_char, len=*), intent(in), optional :: comment
         !> Number of lines at the beginning that are ignored
         integer(c_int), intent(in), optional :: skip_rows
         !> Numbers of the columns to read, from 1, or their names
         type(*), dimension(..), intent(in), optional :: columns
         !> What a missing value becomes, as in read_array
         character(kind=c_char, len=*), intent(in), optional :: missing
         !> Number of threads
         integer(c_int), intent(in), optional :: threads
         !> "csv", "tsv" or "text"; default: the ending of the file name
         character(kind=c_char, len=*), intent(in), optional :: format
         !> Called between blocks
         procedure(progress_function), optional :: progress
         !> 0, errno of the system, or a value of hr_stat; without it a failure stops the program
         integer(c_int), intent(out), optional :: iostat
         !> What went wrong and what to do; untouched on success
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_open_reader
   end interface open_text

   !> Write the rows of an array behind those before. Small ones wait in memory, up to 64 KiB of
   !> text: a full disk may be told by a later call or by close_text.
   interface write_rows
      subroutine hr_fortran_write_rows(writer, array, iostat, iomsg) &
            & bind(c, name="hr_fortran_write_rows")
         import :: c_char, c_int, text_writer
         implicit none
         !> An open writer
         type(text_writer), intent(in) :: writer
         !> Rows of the type, kind and number of columns of the first call. An array of rank 1 is a
         !> row if header, file or first call have as many columns as it has elements
         type(*), dimension(..), intent(in) :: array
         !> As in open_text
         integer(c_int), intent(out), optional :: iostat
         !> As in open_text
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_write_rows
   end interface write_rows

   !> Fill an array with the next rows. No rows left: `iostat_end`.
   interface read_rows
      subroutine hr_fortran_read_rows(reader, array, rows, iostat, iomsg) &
            & bind(c, name="hr_fortran_read_rows")
         import :: c_char, c_int, text_reader
         implicit none
         !> An open reader
         type(text_reader), intent(in) :: reader
         !> Where to read to; all arrays have the type and kind of the first
         type(*), dimension(..), intent(inout) :: array
         !> Number of rows read: less than the array has only at the end of the file
         integer(c_int), intent(out), optional :: rows
         !> As in open_text
         integer(c_int), intent(out), optional :: iostat
         !> As in open_text
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_read_rows
   end interface read_rows

   !> Close a handle; a written file is completed and appears under its name.
   interface close_text
      subroutine hr_fortran_close_writer(writer, iostat, iomsg) &
            & bind(c, name="hr_fortran_close_writer")
         import :: c_char, c_int, text_writer
         implicit none
         !> The handle
         type(text_writer), intent(in) :: writer
         !> As in open_text; a failure of write_rows comes again
         integer(c_int), intent(out), optional :: iostat
         !> As in open_text
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_close_writer

      subroutine hr_fortran_close_reader(reader, iostat, iomsg) &
            & bind(c, name="hr_fortran_close_reader")
         import :: c_char, c_int, text_reader
         implicit none
         !> The handle
         type(text_reader), intent(in) :: reader
         !> As in open_text
         integer(c_int), intent(out), optional :: iostat
         !> As in open_text
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_close_reader
   end interface close_text

end module headrace_rows
