!> Whole arrays to and from files: any intrinsic type, kind, array rank and section.
!>
!> The ending of the file name chooses the format; `format=` overrides it:
!>
!> | format      | endings         | content                                                  |
!> | ----------- | --------------- | -------------------------------------------------------- |
!> | raw         | `.raw` `.bin`   | the bytes of the elements in element order, nothing else |
!> | unformatted | `.unf` `.seq`   | a record, as an unformatted sequential WRITE writes it   |
!> | direct      | `.da` `.direct` | records of one length, as of ACCESS="direct"             |
!> | npy, npz    | `.npy` `.npz`   | numpy's array file, and its archive of several           |
!> | meta        | `.meta`         | a text that describes arrays, beside files of pure data  |
!> | csv         | `.csv`          | rows of cells with commas between them                   |
!> | tsv         | `.tsv`          | rows of cells with tabs between them                     |
!> | text        | `.txt` `.dat`   | rows of cells with blanks between them                   |
!>
!> Row i of a text file holds `array(i, :)`; an array of rank 1 is a column, or a row if header
!> or file have as many columns as it has elements; arrays of higher rank are written in element
!> order, their first dimension along a row, below a line with their shape.
!> With `edit=` all elements go in element order through a Fortran format instead. A further ending
!> `.gz` or `.zst` compresses a text file.
!>
!> Next: ../bindings/array_files.cpp, where both verbs arrive.
module headrace_arrays
   use, intrinsic :: iso_c_binding, only : c_char, c_int
   implicit none
   private

   public :: write_array, read_array

   !> Write all elements of an array to a file, whole or not at all. One MPI rank at a time:
   !> `written_by_another_rank` if another one of the same job is writing the file at this moment.
   !>
   !> The file appears under its name only when it is complete; until then, and after any failure,
   !> an old file of that name stays as it was. Symbolic links are followed, the mode of a replaced
   !> file is kept, FIFOs and devices are written directly.
   !>
   !> edit, number, delimiter, decimal and header are for text; options of binary formats name
   !> these. If an option has no meaning, for the format or beside edit, or if its value is
   !> not known, it is refused (`hr_stat%option_unknown`). Other failures: `errno` of the system
   !> (disk full, no permission, ...), `format_unknown`, `file_name_empty`,
   !> `kind_unsupported` (real128 as text),
   !> `format_invalid`, `edit_mismatch`.
   interface write_array
      subroutine hr_fortran_write_array(file, array, edit, number, delimiter, decimal, header, &
            & append, replace, threads, format, sync, byte_order, record_marker, record_length, &
            & record, checksum, name, compression, level, iostat, iomsg) &
            & bind(c, name="hr_fortran_write_array")
         import :: c_char, c_int
         implicit none
         !> File name; trailing blanks are ignored
         character(kind=c_char, len=*), intent(in) :: file
         !> What to write. Refused with a named status: unallocated and assumed-size arrays,
         !> derived types, class(*)
         type(*), dimension(..), intent(in) :: array
         !> A Fortran format such as "(10e15.5)", or "*" for list-directed: byte for byte what
         !> WRITE(unit, format) array writes with this gfortran (with flang: as gfortran 12)
         character(kind=c_char, len=*), intent(in), optional :: edit
         !> How a cell is written: "shortest" (default: fewest digits that are exact), "hex",
         !> or one edit descriptor such as "es24.16e3"; refused for characters
         character(kind=c_char, len=*), intent(in), optional :: number
         !> Between cells: one character, "tab" or "blank"; default as the table above
         character(kind=c_char, len=*), intent(in), optional :: delimiter
         !> "." (default), or ",": the delimiter of csv is ";" then
         character(kind=c_char, len=*), intent(in), optional :: decimal
         !> Names for the first line: an array of a name for each column, or one that gets numbers
         type(*), dimension(..), intent(in), optional :: header
         !> "no" (default), or "yes": text: rows after those of the file, of as many columns
         !> (`row_length`, `bad_number` with another delimiter) and the names of header
         !> (`column_unknown`), an array of rank 1 only if header or file say whether it is a row
         !> or a column (`argument_invalid`); unformatted: a record behind the others; npz, meta:
         !> another array. A failure leaves the file as it was
         character(kind=c_char, len=*), intent(in), optional :: append
         !> "whole" (default), or "in_place": overwrite the pages of an old file, two to three times
         !> faster; a crash then leaves a mixture
         character(kind=c_char, len=*), intent(in), optional :: replace
         !> Number of threads; default: OpenMP's rules, all cores outside of parallel regions
         integer(c_int), intent(in), optional :: threads
         !> Name of a format, when the ending of the file name is not to decide: "raw",
         !> "unformatted", "direct", "npy", "npz", "meta", "csv", "tsv", "text"
         character(kind=c_char, len=*), intent(in), optional :: format
         !> "none" (default), or "file": return when file and name are on the device
         character(kind=c_char, len=*), intent(in), optional :: sync
         !> raw, unformatted, direct, npy, npz, meta: "native" (default), "little" or "big"
         character(kind=c_char, len=*), intent(in), optional :: byte_order
         !> unformatted: bytes of the length around a record, 4 (default) or 8
         integer(c_int), intent(in), optional :: record_marker
         !> direct: bytes of every record, an integer of any kind
         type(*), dimension(..), intent(in), optional :: record_length
         !> Direct files: number of the first record to write, from 1; the others stay as they are.
         !> An integer of any kind; default: a new file
         type(*), dimension(..), intent(in), optional :: record
         !> meta: "none" (default), or "crc32c": stored, and checked when the array is read
         character(kind=c_char, len=*), intent(in), optional :: checksum
         !> npz, meta: what the array is called in the file
         character(kind=c_char, len=*), intent(in), optional :: name
         !> npz: "none" (default), or "deflate"
         character(kind=c_char, len=*), intent(in), optional :: compression
         !> Of compression, 1 (fastest) to 9 (.gz, npz with compression) or 19 (.zst) (smallest);
         !> default: 6 or 3. Other files: `option_unknown`
         integer(c_int), intent(in), optional :: level
         !> 0, errno of the system, or a value of hr_stat; without it a failure stops the program
         integer(c_int), intent(out), optional :: iostat
         !> What went wrong and what to do; untouched on success
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_write_array
   end interface write_array

   !> Read a file into all elements of an array.
   !>
   !> A raw file or a record must have as many bytes as the array: otherwise the failure is
   !> `hr_stat%file_size_mismatch` or `record_size_mismatch`, and the array is untouched. npy, npz
   !> and meta files must hold the type, kind and shape of the array (`kind_mismatch`,
   !> `shape_mismatch`); damage is named with its byte (`record_marker_damaged`, `truncated_record`,
   !> `header_damaged`, `checksum_mismatch`). A text file must have the rows and
   !> columns of the array (`hr_stat%row_count`, `row_length`), and cells that fit its type and kind
   !> (`bad_number`, `number_out_of_range`, `missing_value`); messages name file, line and column.
   !> After other failures than the first a part of the array may have been read.
   !>
   !> Options are refused as in write_array, and `format_unknown`, `file_name_empty` and `errno` are
   !> the same. A cut or damaged compressed file: `compression_damaged`; UTF-16 and NUL bytes:
   !> `text_encoding`; a file that is too short for its format: `end_of_file`, `record_too_short`.
   interface read_array
      subroutine hr_fortran_read_array(file, array, edit, number, delimiter, decimal, header, &
            & comment, skip_rows, columns, missing, threads, format, byte_order, record_marker, &
            & record_length, record, checksum, name, iostat, iomsg) &
            & bind(c, name="hr_fortran_read_array")
         import :: c_char, c_int
         implicit none
         !> File name; trailing blanks are ignored
         character(kind=c_char, len=*), intent(in) :: file
         !> Where to read to. The elements between those of a section are not touched
         type(*), dimension(..), intent(inout) :: array
         !> A Fortran format, or "*" for list-directed: what READ(unit, format) array reads
         character(kind=c_char, len=*), intent(in), optional :: edit
         !> "decimal" (default), or "hex": cells hold the bits of values; refused for characters
         character(kind=c_char, len=*), intent(in), optional :: number
         !> As in write_array
         character(kind=c_char, len=*), intent(in), optional :: delimiter
         !> As in write_array
         character(kind=c_char, len=*), intent(in), optional :: decimal
         !> "auto" (default: a first line of names above numbers is a header, any other is data, and
         !> an error if it has something else than numbers), "yes" or "no"
         character(kind=c_char, len=*), intent(in), optional :: header
         !> One character, for example "#": it and the rest of its line are ignored; with edit="*"
         !> lines that begin with it. Default: none
         character(kind=c_char, len=*), intent(in), optional :: comment
         !> Number of lines at the beginning that are ignored, default 0
         integer(c_int), intent(in), optional :: skip_rows
         !> Numbers of the columns to read, from 1, or their names in the header, in the order
         !> wanted (`column_unknown`); default: all
         type(*), dimension(..), intent(in), optional :: columns
         !> What a missing value becomes: "error" (default), "nan" (real, complex) or a value such
         !> as "-1"; then texts that stand for one: "nan,-999,xx". Missing are empty cells and NA,
         !> N/A, #N/A, #NA, <NA>, null and None in any case; a text that is a number stands for
         !> that value in any spelling. With decimal="," semicolons divide the texts
         character(kind=c_char, len=*), intent(in), optional :: missing
         !> As in write_array
         integer(c_int), intent(in), optional :: threads
         !> As in write_array
         character(kind=c_char, len=*), intent(in), optional :: format
         !> raw, unformatted, direct: as in write_array; other files know it
         character(kind=c_char, len=*), intent(in), optional :: byte_order
         !> unformatted: as in write_array
         integer(c_int), intent(in), optional :: record_marker
         !> direct: as in write_array
         type(*), dimension(..), intent(in), optional :: record_length
         !> Unformatted files: number of the record to read, from 1 (default: the only one).
         !> Direct files: of the first to read. An integer of any kind
         type(*), dimension(..), intent(in), optional :: record
         !> meta: "crc32c" refuses a file without one; one that is there is always checked
         character(kind=c_char, len=*), intent(in), optional :: checksum
         !> npz, meta: of the array to read; default: the only one
         character(kind=c_char, len=*), intent(in), optional :: name
         !> 0, errno of the system, or a value of hr_stat; without it a failure stops the program
         integer(c_int), intent(out), optional :: iostat
         !> What went wrong and what to do; untouched on success
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_read_array
   end interface read_array

end module headrace_arrays
