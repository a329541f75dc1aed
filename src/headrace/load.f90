!> Text files to arrays that are allocated to the size of the file.
!>
!>     real(real64), allocatable :: x(:, :)
!>
!>     call load_array("x.csv", x)
!>
!> An interface for each of the usual kinds: Fortran has no allocatable argument of any type.
!> They differ in the array alone; the options are those of read_array, without edit.
!>
!> Next: ../bindings/load_arrays.cpp.
module headrace_load
   use, intrinsic :: iso_c_binding, only : c_bool, c_char, c_double, c_double_complex, c_float, &
      & c_float_complex, c_int, c_int32_t, c_int64_t
   implicit none
   private

   public :: load_array

   !> Allocate an array of rank 1 or 2 to the rows and columns of a text file, and read it.
   !>
   !> An array of rank 1 takes a file of one column or of one row (`hr_stat%row_count` otherwise).
   !> After a failure it is not allocated, or holds a part of the values.
   interface load_array
      subroutine hr_fortran_load_real32_1(file, array, number, delimiter, decimal, &
            & header, comment, skip_rows, columns, missing, threads, format, iostat, iomsg) &
            & bind(c, name="hr_fortran_load_real32_1")
         import :: c_char, c_int, c_float
         implicit none
         character(kind=c_char, len=*), intent(in) :: file
         real(c_float), allocatable, intent(out) :: array(:)
         character(kind=c_char, len=*), intent(in), optional :: number, delimiter, decimal, &
            & header, comment, missing, format
         integer(c_int), intent(in), optional :: skip_rows, columns(:), threads
         integer(c_int), intent(out), optional :: iostat
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_load_real32_1

      subroutine hr_fortran_load_real32_2(file, array, number, delimiter, decimal, &
            & header, comment, skip_rows, columns, missing, threads, format, iostat, iomsg) &
            & bind(c, name="hr_fortran_load_real32_2")
         import :: c_char, c_int, c_float
         implicit none
         character(kind=c_char, len=*), intent(in) :: file
         real(c_float), allocatable, intent(out) :: array(:, :)
         character(kind=c_char, len=*), intent(in), optional :: number, delimiter, decimal, &
            & header, comment, missing, format
         integer(c_int), intent(in), optional :: skip_rows, columns(:), threads
         integer(c_int), intent(out), optional :: iostat
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_load_real32_2

      subroutine hr_fortran_load_real64_1(file, array, number, delimiter, decimal, &
            & header, comment, skip_rows, columns, missing, threads, format, iostat, iomsg) &
            & bind(c, name="hr_fortran_load_real64_1")
         import :: c_char, c_int, c_double
         implicit none
         character(kind=c_char, len=*), intent(in) :: file
         real(c_double), allocatable, intent(out) :: array(:)
         character(kind=c_char, len=*), intent(in), optional :: number, delimiter, decimal, &
            & header, comment, missing, format
         integer(c_int), intent(in), optional :: skip_rows, columns(:), threads
         integer(c_int), intent(out), optional :: iostat
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_load_real64_1

      subroutine hr_fortran_load_real64_2(file, array, number, delimiter, decimal, &
            & header, comment, skip_rows, columns, missing, threads, format, iostat, iomsg) &
            & bind(c, name="hr_fortran_load_real64_2")
         import :: c_char, c_int, c_double
         implicit none
         character(kind=c_char, len=*), intent(in) :: file
         real(c_double), allocatable, intent(out) :: array(:, :)
         character(kind=c_char, len=*), intent(in), optional :: number, delimiter, decimal, &
            & header, comment, missing, format
         integer(c_int), intent(in), optional :: skip_rows, columns(:), threads
         integer(c_int), intent(out), optional :: iostat
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_load_real64_2

      subroutine hr_fortran_load_int32_1(file, array, number, delimiter, decimal, &
            & header, comment, skip_rows, columns, missing, threads, format, iostat, iomsg) &
            & bind(c, name="hr_fortran_load_int32_1")
         import :: c_char, c_int, c_int32_t
         implicit none
         character(kind=c_char, len=*), intent(in) :: file
         integer(c_int32_t), allocatable, intent(out) :: array(:)
         character(kind=c_char, len=*), intent(in), optional :: number, delimiter, decimal, &
            & header, comment, missing, format
         integer(c_int), intent(in), optional :: skip_rows, columns(:), threads
         integer(c_int), intent(out), optional :: iostat
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_load_int32_1

      subroutine hr_fortran_load_int32_2(file, array, number, delimiter, decimal, &
            & header, comment, skip_rows, columns, missing, threads, format, iostat, iomsg) &
            & bind(c, name="hr_fortran_load_int32_2")
         import :: c_char, c_int, c_int32_t
         implicit none
         character(kind=c_char, len=*), intent(in) :: file
         integer(c_int32_t), allocatable, intent(out) :: array(:, :)
         character(kind=c_char, len=*), intent(in), optional :: number, delimiter, decimal, &
            & header, comment, missing, format
         integer(c_int), intent(in), optional :: skip_rows, columns(:), threads
         integer(c_int), intent(out), optional :: iostat
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_load_int32_2

      subroutine hr_fortran_load_int64_1(file, array, number, delimiter, decimal, &
            & header, comment, skip_rows, columns, missing, threads, format, iostat, iomsg) &
            & bind(c, name="hr_fortran_load_int64_1")
         import :: c_char, c_int, c_int64_t
         implicit none
         character(kind=c_char, len=*), intent(in) :: file
         integer(c_int64_t), allocatable, intent(out) :: array(:)
         character(kind=c_char, len=*), intent(in), optional :: number, delimiter, decimal, &
            & header, comment, missing, format
         integer(c_int), intent(in), optional :: skip_rows, columns(:), threads
         integer(c_int), intent(out), optional :: iostat
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_load_int64_1

      subroutine hr_fortran_load_int64_2(file, array, number, delimiter, decimal, &
            & header, comment, skip_rows, columns, missing, threads, format, iostat, iomsg) &
            & bind(c, name="hr_fortran_load_int64_2")
         import :: c_char, c_int, c_int64_t
         implicit none
         character(kind=c_char, len=*), intent(in) :: file
         integer(c_int64_t), allocatable, intent(out) :: array(:, :)
         character(kind=c_char, len=*), intent(in), optional :: number, delimiter, decimal, &
            & header, comment, missing, format
         integer(c_int), intent(in), optional :: skip_rows, columns(:), threads
         integer(c_int), intent(out), optional :: iostat
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_load_int64_2

      subroutine hr_fortran_load_complex32_1(file, array, number, delimiter, decimal, &
            & header, comment, skip_rows, columns, missing, threads, format, iostat, iomsg) &
            & bind(c, name="hr_fortran_load_complex32_1")
         import :: c_char, c_int, c_float_complex
         implicit none
         character(kind=c_char, len=*), intent(in) :: file
         complex(c_float_complex), allocatable, intent(out) :: array(:)
         character(kind=c_char, len=*), intent(in), optional :: number, delimiter, decimal, &
            & header, comment, missing, format
         integer(c_int), intent(in), optional :: skip_rows, columns(:), threads
         integer(c_int), intent(out), optional :: iostat
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_load_complex32_1

      subroutine hr_fortran_load_complex32_2(file, array, number, delimiter, decimal, &
            & header, comment, skip_rows, columns, missing, threads, format, iostat, iomsg) &
            & bind(c, name="hr_fortran_load_complex32_2")
         import :: c_char, c_int, c_float_complex
         implicit none
         character(kind=c_char, len=*), intent(in) :: file
         complex(c_float_complex), allocatable, intent(out) :: array(:, :)
         character(kind=c_char, len=*), intent(in), optional :: number, delimiter, decimal, &
            & header, comment, missing, format
         integer(c_int), intent(in), optional :: skip_rows, columns(:), threads
         integer(c_int), intent(out), optional :: iostat
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_load_complex32_2

      subroutine hr_fortran_load_complex64_1(file, array, number, delimiter, decimal, &
            & header, comment, skip_rows, columns, missing, threads, format, iostat, iomsg) &
            & bind(c, name="hr_fortran_load_complex64_1")
         import :: c_char, c_int, c_double_complex
         implicit none
         character(kind=c_char, len=*), intent(in) :: file
         complex(c_double_complex), allocatable, intent(out) :: array(:)
         character(kind=c_char, len=*), intent(in), optional :: number, delimiter, decimal, &
            & header, comment, missing, format
         integer(c_int), intent(in), optional :: skip_rows, columns(:), threads
         integer(c_int), intent(out), optional :: iostat
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_load_complex64_1

      subroutine hr_fortran_load_complex64_2(file, array, number, delimiter, decimal, &
            & header, comment, skip_rows, columns, missing, threads, format, iostat, iomsg) &
            & bind(c, name="hr_fortran_load_complex64_2")
         import :: c_char, c_int, c_double_complex
         implicit none
         character(kind=c_char, len=*), intent(in) :: file
         complex(c_double_complex), allocatable, intent(out) :: array(:, :)
         character(kind=c_char, len=*), intent(in), optional :: number, delimiter, decimal, &
            & header, comment, missing, format
         integer(c_int), intent(in), optional :: skip_rows, columns(:), threads
         integer(c_int), intent(out), optional :: iostat
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_load_complex64_2

      subroutine hr_fortran_load_logical_1(file, array, number, delimiter, decimal, &
            & header, comment, skip_rows, columns, missing, threads, format, iostat, iomsg) &
            & bind(c, name="hr_fortran_load_logical_1")
         import :: c_char, c_int, c_bool
         implicit none
         character(kind=c_char, len=*), intent(in) :: file
         logical(c_bool), allocatable, intent(out) :: array(:)
         character(kind=c_char, len=*), intent(in), optional :: number, delimiter, decimal, &
            & header, comment, missing, format
         integer(c_int), intent(in), optional :: skip_rows, columns(:), threads
         integer(c_int), intent(out), optional :: iostat
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_load_logical_1

      subroutine hr_fortran_load_logical_2(file, array, number, delimiter, decimal, &
            & header, comment, skip_rows, columns, missing, threads, format, iostat, iomsg) &
            & bind(c, name="hr_fortran_load_logical_2")
         import :: c_char, c_int, c_bool
         implicit none
         character(kind=c_char, len=*), intent(in) :: file
         logical(c_bool), allocatable, intent(out) :: array(:, :)
         character(kind=c_char, len=*), intent(in), optional :: number, delimiter, decimal, &
            & header, comment, missing, format
         integer(c_int), intent(in), optional :: skip_rows, columns(:), threads
         integer(c_int), intent(out), optional :: iostat
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_load_logical_2
   end interface load_array

end module headrace_load
