!> Files of many records, as unformatted sequential WRITE statements make them.
!>
!>     type(record_file) :: file
!>
!>     call open_records(file, "run.unf")
!>     call next_record(file, bytes)              ! its length, without reading it
!>     call read_record(file, x)                  ! any array of that length
!>     call go_to_record(file, 1000)              ! any record, after one scan of the markers
!>     call read_records(file, table)             ! each table(:, i) is a record
!>     call close_records(file)
!>
!> A file that is written appears under its name when it is closed; with `action="append"` its
!> old records stay as they are until a new one is complete. Handles are closed explicitly; a copy
!> is the same handle, and using a closed one is the failure `hr_stat%handle_closed`.
!>
!> Next: ../bindings/record_files.cpp.
module headrace_records
   use, intrinsic :: iso_c_binding, only : c_char, c_int, c_int64_t
   implicit none
   private

   public :: record_file
   public :: open_records, close_records
   public :: next_record, read_record, read_records, write_record, write_records
   public :: skip_records, go_to_record, count_records

   !> An open file of records
   type, bind(c) :: record_file
      !> 0: not open
      integer(c_int64_t) :: handle = 0
   end type record_file

   !> Open a file of records.
   !>
   !> Failures: errno, `option_unknown`, `record_marker_damaged` (byte_order="auto" that fits
   !> nothing), `truncated_record` (append: the file does not end with a whole record).
   interface open_records
      subroutine hr_fortran_open_records(file, name, action, record_marker, byte_order, &
            & long_records, record_type, sync, iostat, iomsg) &
            & bind(c, name="hr_fortran_open_records")
         import :: c_char, c_int, record_file
         implicit none
         !> The handle
         type(record_file), intent(out) :: file
         !> File name; trailing blanks are ignored
         character(kind=c_char, len=*), intent(in) :: name
         !> "read" (default), "write": a new file, or "append"
         character(kind=c_char, len=*), intent(in), optional :: action
         !> Bytes of the length around a record: 4 (default) or 8; 0 beside byte_order="auto" finds
         !> out
         integer(c_int), intent(in), optional :: record_marker
         !> "native" (default), "little", "big"; "auto" when reading: find out
         character(kind=c_char, len=*), intent(in), optional :: byte_order
         !> Records that are too long for 4 bytes: "subrecords" (default: gfortran, Intel); only
         !> when reading "high_bit" (PGI) and "unsigned" (LLVM flang)
         character(kind=c_char, len=*), intent(in), optional :: long_records
         !> "variable" (default); only when reading "segmented" (Intel)
         character(kind=c_char, len=*), intent(in), optional :: record_type
         !> "none" (default), or "file": close_records returns when the file is on the device
         character(kind=c_char, len=*), intent(in), optional :: sync
         !> 0, errno of the system, or a value of hr_stat; without it a failure stops the program
         integer(c_int), intent(out), optional :: iostat
         !> What went wrong and what to do; untouched on success
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_open_records
   end interface open_records

   !> Tell the length of the next record without reading it; `iostat_end` when there is none.
   interface next_record
      subroutine hr_fortran_next_record(file, bytes, iostat, iomsg) &
            & bind(c, name="hr_fortran_next_record")
         import :: c_char, c_int, c_int64_t, record_file
         implicit none
         type(record_file), intent(in) :: file
         !> Bytes of its data
         integer(c_int64_t), intent(out) :: bytes
         integer(c_int), intent(out), optional :: iostat
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_next_record
   end interface next_record

   !> Read the next record into all elements of an array, in element order.
   !>
   !> A record of another size than the array is the failure `record_size_mismatch`: the array is
   !> untouched and the record comes again. `iostat_end` behind the last one; damage is
   !> `record_marker_damaged` or `truncated_record`, with its byte in the message.
   interface read_record
      subroutine hr_fortran_read_record(file, array, iostat, iomsg) &
            & bind(c, name="hr_fortran_read_record")
         import :: c_char, c_int, record_file
         implicit none
         type(record_file), intent(in) :: file
         !> Where to read to. The elements between those of a section are not touched
         type(*), dimension(..), intent(inout) :: array
         integer(c_int), intent(out), optional :: iostat
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_read_record
   end interface read_record

   !> Read as many records of equal length as the last extent of an array says: `array(:, i)`, or
   !> `array(i)` for records of one element. Much faster than one by one.
   interface read_records
      subroutine hr_fortran_read_records(file, array, iostat, iomsg) &
            & bind(c, name="hr_fortran_read_records")
         import :: c_char, c_int, record_file
         implicit none
         type(record_file), intent(in) :: file
         !> Where to read to
         type(*), dimension(..), intent(inout) :: array
         integer(c_int), intent(out), optional :: iostat
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_read_records
   end interface read_records

   !> Write all elements of an array as one record.
   interface write_record
      subroutine hr_fortran_write_record(file, array, iostat, iomsg) &
            & bind(c, name="hr_fortran_write_record")
         import :: c_char, c_int, record_file
         implicit none
         type(record_file), intent(in) :: file
         !> What to write
         type(*), dimension(..), intent(in) :: array
         integer(c_int), intent(out), optional :: iostat
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_write_record
   end interface write_record

   !> Write a record for each index of the last dimension: `array(:, i)`, or `array(i)`.
   interface write_records
      subroutine hr_fortran_write_records(file, array, iostat, iomsg) &
            & bind(c, name="hr_fortran_write_records")
         import :: c_char, c_int, record_file
         implicit none
         type(record_file), intent(in) :: file
         !> What to write
         type(*), dimension(..), intent(in) :: array
         integer(c_int), intent(out), optional :: iostat
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_write_records
   end interface write_records

   !> Go forward by some records, back (BACKSPACE) when the number is negative. Beyond the ends:
   !> `record_missing`, and the position stays.
   interface skip_records
      subroutine hr_fortran_skip_records(file, records, iostat, iomsg) &
            & bind(c, name="hr_fortran_skip_records")
         import :: c_char, c_int, record_file
         implicit none
         type(record_file), intent(in) :: file
         !> How many, an integer of any kind
         type(*), dimension(..), intent(in) :: records
         integer(c_int), intent(out), optional :: iostat
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_skip_records
   end interface skip_records

   !> Go before a record. The first call scans the markers of the file once.
   interface go_to_record
      subroutine hr_fortran_go_to_record(file, number, iostat, iomsg) &
            & bind(c, name="hr_fortran_go_to_record")
         import :: c_char, c_int, record_file
         implicit none
         type(record_file), intent(in) :: file
         !> Its number, an integer of any kind: 1 is REWIND, the number of records + 1 the end
         type(*), dimension(..), intent(in) :: number
         integer(c_int), intent(out), optional :: iostat
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_go_to_record
   end interface go_to_record

   !> Count the records of a file. The first call scans the markers once.
   interface count_records
      subroutine hr_fortran_count_records(file, records, next, iostat, iomsg) &
            & bind(c, name="hr_fortran_count_records")
         import :: c_char, c_int, c_int64_t, record_file
         implicit none
         type(record_file), intent(in) :: file
         !> How many there are
         integer(c_int64_t), intent(out) :: records
         !> Number of the one that comes next
         integer(c_int64_t), intent(out), optional :: next
         integer(c_int), intent(out), optional :: iostat
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_count_records
   end interface count_records

   !> Close a file; one that was written appears under its name now. The first failure that nobody
   !> has been told is told here.
   interface close_records
      subroutine hr_fortran_close_records(file, iostat, iomsg) &
            & bind(c, name="hr_fortran_close_records")
         import :: c_char, c_int, record_file
         implicit none
         type(record_file), intent(in) :: file
         integer(c_int), intent(out), optional :: iostat
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_close_records
   end interface close_records

end module headrace_records
