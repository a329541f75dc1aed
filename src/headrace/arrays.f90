!> Whole arrays to and from files: any intrinsic type, kind, array rank and section.
!>
!> The ending of the file name chooses the format; `format=` overrides it:
!>
!> | format | endings       | content                                                   |
!> | ------ | ------------- | --------------------------------------------------------- |
!> | raw    | `.raw` `.bin` | the bytes of the elements in element order, nothing else  |
!>
!> Next: ../bindings/array_files.cpp, where both verbs arrive.
module headrace_arrays
   use, intrinsic :: iso_c_binding, only : c_char, c_int
   implicit none
   private

   public :: write_array, read_array

   !> Write all elements of an array to a file, whole or not at all.
   !>
   !> The file appears under its name only when it is complete; until then, and after any failure,
   !> an old file of that name stays as it was. Symbolic links are followed, the mode of a replaced
   !> file is kept, FIFOs and devices are written directly.
   interface write_array
      subroutine hr_fortran_write_array(file, array, format, sync, iostat, iomsg) &
            & bind(c, name="hr_fortran_write_array")
         import :: c_char, c_int
         implicit none
         !> File name; trailing blanks do not count
         character(kind=c_char, len=*), intent(in) :: file
         !> What to write. Refused with a named status: unallocated and assumed-size arrays,
         !> derived types, class(*)
         type(*), dimension(..), intent(in) :: array
         !> Name of a format, when the ending of the file name is not to decide: "raw"
         character(kind=c_char, len=*), intent(in), optional :: format
         !> "none" (default), or "file": return when file and name are on the device
         character(kind=c_char, len=*), intent(in), optional :: sync
         !> 0, errno of the system, or a value of hr_stat; without it a failure stops the program
         integer(c_int), intent(out), optional :: iostat
         !> What went wrong and what to do; untouched on success
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_write_array
   end interface write_array

   !> Read a file into all elements of an array.
   !>
   !> A raw file must have as many bytes as the array: otherwise the failure is
   !> `hr_stat%file_size_mismatch` and the array is untouched. After other failures a part of the
   !> array may have been read.
   interface read_array
      subroutine hr_fortran_read_array(file, array, format, iostat, iomsg) &
            & bind(c, name="hr_fortran_read_array")
         import :: c_char, c_int
         implicit none
         !> File name; trailing blanks do not count
         character(kind=c_char, len=*), intent(in) :: file
         !> Where to read to. The elements between those of a section are not touched
         type(*), dimension(..), intent(inout) :: array
         !> Name of a format, when the ending of the file name is not to decide: "raw"
         character(kind=c_char, len=*), intent(in), optional :: format
         !> 0, errno of the system, or a value of hr_stat; without it a failure stops the program
         integer(c_int), intent(out), optional :: iostat
         !> What went wrong and what to do; untouched on success
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_read_array
   end interface read_array

end module headrace_arrays
