!> Names for the values that `iostat` receives.
!>
!>     if (stat == hr_stat%file_size_mismatch) ...
!>
!> Zero is success, `iostat_end` and `iostat_eor` are Fortran's own, values from 1 to 999 are
!> `errno` of the system. The numbers are those of `enum hr_stat` in headrace.h.
module headrace_status
   use, intrinsic :: iso_c_binding, only : c_int
   implicit none
   private

   public :: hr_stat

   !> A division by zero here: the compiler was called with -fdefault-integer-8 (or -i8). headrace
   !> needs default integers that are C's int. Declare large integers as integer(int64) instead.
   integer, parameter :: default_integer_is_c_int = 1 / merge(1, 0, kind(1) == c_int)

   !> One component for each named status
   type :: stat_names
      !> Nothing went wrong
      integer(c_int) :: success = 0
      !> iostat_end: a file or pipe ended too early
      integer(c_int) :: end_of_file = -1
      !> iostat_eor: a record ended too early
      integer(c_int) :: end_of_record = -2
      !> The array is not allocated, or a null pointer
      integer(c_int) :: array_not_allocated = 6001
      !> The last extent of x(*) is unknown: pass x(1:n)
      integer(c_int) :: array_assumed_size = 6002
      !> No intrinsic type, for example class(*)
      integer(c_int) :: type_unknown = 6003
      !> A derived type: write its components
      integer(c_int) :: type_derived = 6004
      !> More bytes than can be addressed
      integer(c_int) :: array_too_large = 6005
      !> An argument makes no sense, also a slash behind the name of a file
      integer(c_int) :: argument_invalid = 6006
      !> The file name is empty or blank
      integer(c_int) :: file_name_empty = 6007
      !> Neither the ending of the file name nor format= names a format
      integer(c_int) :: format_unknown = 6008
      !> An option has a value that is not known
      integer(c_int) :: option_unknown = 6009
      !> The file holds another number of bytes than the array
      integer(c_int) :: file_size_mismatch = 6010
      !> Something else changed the file while it was written
      integer(c_int) :: file_changed_while_writing = 6011
      !> The library was built for another Fortran compiler
      integer(c_int) :: descriptor_foreign = 6012
      !> UTF-16 or other bytes that are no text
      integer(c_int) :: text_encoding = 6013
      !> A cell is not a number of the array's type
      integer(c_int) :: bad_number = 6014
      !> A number does not fit the type of the array
      integer(c_int) :: number_out_of_range = 6015
      !> A row has too few or too many columns
      integer(c_int) :: row_length = 6016
      !> The file has another number of rows than the array
      integer(c_int) :: row_count = 6017
      !> An empty cell, and missing= does not allow it
      integer(c_int) :: missing_value = 6018
      !> A line of more than 1 GiB (tables: 2 GiB)
      integer(c_int) :: line_too_long = 6019
      !> The edit= format is wrong; the message names the column
      integer(c_int) :: format_invalid = 6020
      !> An edit descriptor does not take values of that type
      integer(c_int) :: edit_mismatch = 6021
      !> The format cannot hold this kind (real128 as text, in npy)
      integer(c_int) :: kind_unsupported = 6022
      !> A quoted cell does not end
      integer(c_int) :: quote_unbalanced = 6023
      !> There is no column of that name or number
      integer(c_int) :: column_unknown = 6024
      !> The handle was never opened or is closed
      integer(c_int) :: handle_closed = 6025
      !> A gzip or zstd file is damaged or cut
      integer(c_int) :: compression_damaged = 6026
      !> The library was built without zlib or libzstd
      integer(c_int) :: compression_unavailable = 6027
      !> A record ends before the format does
      integer(c_int) :: record_too_short = 6028
      !> The progress function asked to stop
      integer(c_int) :: interrupted = 6029
      !> Something else changed the file while it was read
      integer(c_int) :: file_changed_while_reading = 6030
      !> The lengths around a record disagree or make no sense
      integer(c_int) :: record_marker_damaged = 6031
      !> A record holds another number of bytes than the array
      integer(c_int) :: record_size_mismatch = 6032
      !> The file has no record of that number
      integer(c_int) :: record_missing = 6033
      !> The bytes are not those that were written
      integer(c_int) :: checksum_mismatch = 6034
      !> The file holds another type or kind than the array
      integer(c_int) :: kind_mismatch = 6035
      !> The file holds an array of another shape
      integer(c_int) :: shape_mismatch = 6036
      !> The header of a file cannot be understood
      integer(c_int) :: header_damaged = 6037
      !> The file has no array of that name
      integer(c_int) :: array_missing = 6038
      !> The file ends within a record
      integer(c_int) :: truncated_record = 6039
      !> Blocks of MPI ranks overlap, leave gaps or lie outside of the array
      integer(c_int) :: layout_invalid = 6040
      !> MPI ranks gave different names, options or kinds
      integer(c_int) :: ranks_disagree = 6041
      !> An MPI rank did not make a collective call (HEADRACE_CHECK=1)
      integer(c_int) :: rank_missing = 6042
      !> Built without the library of this format
      integer(c_int) :: backend_unavailable = 6043
      !> The array has no such step
      integer(c_int) :: step_missing = 6044
      !> A file of a store is gone
      integer(c_int) :: chunk_missing = 6045
      !> MPI, HDF5, NetCDF, PnetCDF or ADIOS2 reported a failure
      integer(c_int) :: library_failed = 6046
      !> Another MPI rank of the same job is writing the same file at this moment
      integer(c_int) :: written_by_another_rank = 6047
   end type stat_names

   !> The named status values
   type(stat_names), parameter :: hr_stat = stat_names()

end module headrace_status
