!> Files to arrays that are allocated to what the file holds.
!>
!>     real(real64), allocatable :: x(:, :)
!>
!>     call load_array("x.csv", x)
!>
!> One interface for each type and kind, for all array ranks: Fortran has no allocatable argument of
!> any type. Logicals of other kinds than c_bool, and characters, cannot go to C this way:
!> load_by_fortran.f90 has them.
!>
!> Next: load_options.inc, the arguments that all have; ../bindings/load_arrays.cpp.
module headrace_load
   use, intrinsic :: iso_c_binding, only : c_bool, c_char, c_double, c_double_complex, c_float, &
      & c_float_complex, c_int, c_int16_t, c_int32_t, c_int64_t, c_int8_t
   use headrace_load_names, only : load_names
   use headrace_load_characters, only : load_array
   use headrace_load_logical16, only : load_array
   use headrace_load_logical32, only : load_array
   use headrace_load_logical64, only : load_array
   implicit none
   private

   public :: load_array, load_names

   !> Allocate an array to what a file holds, and read it.
   !>
   !> npy, npz and meta files say their shape; raw files and records become an array of rank 1.
   !> Texts:
   !> An array of rank 2 takes every file. Rank 1 takes one column or one row, rank 3 to 7 the shape
   !> that write_array states in the first line of a file (`hr_stat%row_count` otherwise).
   !> After a failure it is not allocated.
   interface load_array
      subroutine hr_fortran_load_int8(file, array, number, delimiter, decimal, header, &
            & comment, skip_rows, columns, missing, threads, format, byte_order, record_marker, &
            & name, iostat, iomsg) bind(c, name="hr_fortran_load_int8")
         import
         implicit none
         integer(c_int8_t), allocatable, intent(out) :: array(..)
         include "load_options.inc"
         type(*), dimension(..), intent(in), optional :: columns
      end subroutine hr_fortran_load_int8

      subroutine hr_fortran_load_int16(file, array, number, delimiter, decimal, header, &
            & comment, skip_rows, columns, missing, threads, format, byte_order, record_marker, &
            & name, iostat, iomsg) bind(c, name="hr_fortran_load_int16")
         import
         implicit none
         integer(c_int16_t), allocatable, intent(out) :: array(..)
         include "load_options.inc"
         type(*), dimension(..), intent(in), optional :: columns
      end subroutine hr_fortran_load_int16

      subroutine hr_fortran_load_int32(file, array, number, delimiter, decimal, header, &
            & comment, skip_rows, columns, missing, threads, format, byte_order, record_marker, &
            & name, iostat, iomsg) bind(c, name="hr_fortran_load_int32")
         import
         implicit none
         integer(c_int32_t), allocatable, intent(out) :: array(..)
         include "load_options.inc"
         type(*), dimension(..), intent(in), optional :: columns
      end subroutine hr_fortran_load_int32

      subroutine hr_fortran_load_int64(file, array, number, delimiter, decimal, header, &
            & comment, skip_rows, columns, missing, threads, format, byte_order, record_marker, &
            & name, iostat, iomsg) bind(c, name="hr_fortran_load_int64")
         import
         implicit none
         integer(c_int64_t), allocatable, intent(out) :: array(..)
         include "load_options.inc"
         type(*), dimension(..), intent(in), optional :: columns
      end subroutine hr_fortran_load_int64

      subroutine hr_fortran_load_real32(file, array, number, delimiter, decimal, header, &
            & comment, skip_rows, columns, missing, threads, format, byte_order, record_marker, &
            & name, iostat, iomsg) bind(c, name="hr_fortran_load_real32")
         import
         implicit none
         real(c_float), allocatable, intent(out) :: array(..)
         include "load_options.inc"
         type(*), dimension(..), intent(in), optional :: columns
      end subroutine hr_fortran_load_real32

      subroutine hr_fortran_load_real64(file, array, number, delimiter, decimal, header, &
            & comment, skip_rows, columns, missing, threads, format, byte_order, record_marker, &
            & name, iostat, iomsg) bind(c, name="hr_fortran_load_real64")
         import
         implicit none
         real(c_double), allocatable, intent(out) :: array(..)
         include "load_options.inc"
         type(*), dimension(..), intent(in), optional :: columns
      end subroutine hr_fortran_load_real64

      subroutine hr_fortran_load_complex32(file, array, number, delimiter, decimal, header, &
            & comment, skip_rows, columns, missing, threads, format, byte_order, record_marker, &
            & name, iostat, iomsg) bind(c, name="hr_fortran_load_complex32")
         import
         implicit none
         complex(c_float_complex), allocatable, intent(out) :: array(..)
         include "load_options.inc"
         type(*), dimension(..), intent(in), optional :: columns
      end subroutine hr_fortran_load_complex32

      subroutine hr_fortran_load_complex64(file, array, number, delimiter, decimal, header, &
            & comment, skip_rows, columns, missing, threads, format, byte_order, record_marker, &
            & name, iostat, iomsg) bind(c, name="hr_fortran_load_complex64")
         import
         implicit none
         complex(c_double_complex), allocatable, intent(out) :: array(..)
         include "load_options.inc"
         type(*), dimension(..), intent(in), optional :: columns
      end subroutine hr_fortran_load_complex64

      subroutine hr_fortran_load_logical8(file, array, number, delimiter, decimal, header, &
            & comment, skip_rows, columns, missing, threads, format, byte_order, record_marker, &
            & name, iostat, iomsg) bind(c, name="hr_fortran_load_logical8")
         import
         implicit none
         logical(c_bool), allocatable, intent(out) :: array(..)
         include "load_options.inc"
         type(*), dimension(..), intent(in), optional :: columns
      end subroutine hr_fortran_load_logical8
   end interface load_array

end module headrace_load
