!> A column of a table as an array that is allocated to it.
!>
!>     real(real64), allocatable :: mass(:)
!>
!>     call load_column(stars, "mass", mass, missing="nan")
!>
!> An interface for each type and kind, as in load.f90: in the generic `get` they would be ambiguous
!> beside its array of any type. Characters and logicals of other kinds than c_bool are allocated by
!> Fortran.
!>
!> Next: load_column_options.inc, the arguments that all have; ../bindings/table_columns.cpp.
module headrace_table_columns
   use, intrinsic :: iso_c_binding, only : c_bool, c_char, c_double, c_double_complex, c_float, &
      & c_float_complex, c_int, c_int16_t, c_int32_t, c_int64_t, c_int8_t, c_size_t
   use, intrinsic :: iso_fortran_env, only : int16, int32, int64
   use headrace_kept_text, only : report_failure, text_or
   use headrace_tables, only : text_table
   implicit none
   private

   public :: load_column

   !> Allocate an array to the rows of a table, and read a column into it.
   !>
   !> Failures are those of `get`; after one the array is not allocated. Characters get the length
   !> of the longest cell, dates in them stay as they are in the file.
   interface load_column
      subroutine hr_fortran_load_column_int8(table, column, array, missing, fmt, decimal, &
            & imaginary, since, threads, iostat, iomsg) &
            & bind(c, name="hr_fortran_load_column_int8")
         import :: c_char, c_int, c_int8_t, text_table
         implicit none
         integer(c_int8_t), allocatable, intent(out) :: array(:)
         include "load_column_options.inc"
      end subroutine hr_fortran_load_column_int8

      subroutine hr_fortran_load_column_int16(table, column, array, missing, fmt, decimal, &
            & imaginary, since, threads, iostat, iomsg) &
            & bind(c, name="hr_fortran_load_column_int16")
         import :: c_char, c_int, c_int16_t, text_table
         implicit none
         integer(c_int16_t), allocatable, intent(out) :: array(:)
         include "load_column_options.inc"
      end subroutine hr_fortran_load_column_int16

      subroutine hr_fortran_load_column_int32(table, column, array, missing, fmt, decimal, &
            & imaginary, since, threads, iostat, iomsg) &
            & bind(c, name="hr_fortran_load_column_int32")
         import :: c_char, c_int, c_int32_t, text_table
         implicit none
         integer(c_int32_t), allocatable, intent(out) :: array(:)
         include "load_column_options.inc"
      end subroutine hr_fortran_load_column_int32

      subroutine hr_fortran_load_column_int64(table, column, array, missing, fmt, decimal, &
            & imaginary, since, threads, iostat, iomsg) &
            & bind(c, name="hr_fortran_load_column_int64")
         import :: c_char, c_int, c_int64_t, text_table
         implicit none
         integer(c_int64_t), allocatable, intent(out) :: array(:)
         include "load_column_options.inc"
      end subroutine hr_fortran_load_column_int64

      subroutine hr_fortran_load_column_real32(table, column, array, missing, fmt, decimal, &
            & imaginary, since, threads, iostat, iomsg) &
            & bind(c, name="hr_fortran_load_column_real32")
         import :: c_char, c_int, c_float, text_table
         implicit none
         real(c_float), allocatable, intent(out) :: array(:)
         include "load_column_options.inc"
      end subroutine hr_fortran_load_column_real32

      subroutine hr_fortran_load_column_real64(table, column, array, missing, fmt, decimal, &
            & imaginary, since, threads, iostat, iomsg) &
            & bind(c, name="hr_fortran_load_column_real64")
         import :: c_char, c_int, c_double, text_table
         implicit none
         real(c_double), allocatable, intent(out) :: array(:)
         include "load_column_options.inc"
      end subroutine hr_fortran_load_column_real64

      subroutine hr_fortran_load_column_complex32(table, column, array, missing, fmt, decimal, &
            & imaginary, since, threads, iostat, iomsg) &
            & bind(c, name="hr_fortran_load_column_complex32")
         import :: c_char, c_int, c_float_complex, text_table
         implicit none
         complex(c_float_complex), allocatable, intent(out) :: array(:)
         include "load_column_options.inc"
      end subroutine hr_fortran_load_column_complex32

      subroutine hr_fortran_load_column_complex64(table, column, array, missing, fmt, decimal, &
            & imaginary, since, threads, iostat, iomsg) &
            & bind(c, name="hr_fortran_load_column_complex64")
         import :: c_char, c_int, c_double_complex, text_table
         implicit none
         complex(c_double_complex), allocatable, intent(out) :: array(:)
         include "load_column_options.inc"
      end subroutine hr_fortran_load_column_complex64

      subroutine hr_fortran_load_column_logical8(table, column, array, missing, fmt, decimal, &
            & imaginary, since, threads, iostat, iomsg) &
            & bind(c, name="hr_fortran_load_column_logical8")
         import :: c_char, c_int, c_bool, text_table
         implicit none
         logical(c_bool), allocatable, intent(out) :: array(:)
         include "load_column_options.inc"
      end subroutine hr_fortran_load_column_logical8

      module procedure load_column_logical16, load_column_logical32, load_column_logical64, &
         & load_column_characters
   end interface load_column

   interface
      subroutine hr_fortran_fit_column(table, name, number, length, rows, stat) &
            & bind(c, name="hr_fortran_fit_column")
         import :: c_char, c_int, c_int64_t, c_size_t, text_table
         implicit none
         type(text_table), intent(in) :: table
         character(kind=c_char, len=*), intent(in) :: name
         integer(c_int64_t), intent(in) :: number
         integer(c_size_t), intent(out) :: length, rows
         integer(c_int), intent(out) :: stat
      end subroutine hr_fortran_fit_column

      subroutine hr_fortran_fill_column(table, name, number, array, missing, stat) &
            & bind(c, name="hr_fortran_fill_column")
         import :: c_char, c_int, c_int64_t, text_table
         implicit none
         type(text_table), intent(in) :: table
         character(kind=c_char, len=*), intent(in) :: name
         integer(c_int64_t), intent(in) :: number
         type(*), dimension(..), intent(inout) :: array
         character(kind=c_char, len=*), intent(in) :: missing
         integer(c_int), intent(out) :: stat
      end subroutine hr_fortran_fill_column
   end interface

contains

!> The name or the number of a column; neither, an empty name, if it is none
subroutine take_column(column, name, number)
   !> As in load_column
   class(*), intent(in) :: column
   !> Empty for a number
   character(len=:), allocatable, intent(out) :: name
   !> -1 for a name
   integer(c_int64_t), intent(out) :: number

   name = ""
   number = -1
   select type (column)
   type is (character(len=*))
      name = column
   type is (integer(int32))
      number = max(0_c_int64_t, int(column, c_int64_t))
   type is (integer(int64))
      number = max(0_c_int64_t, int(column, c_int64_t))
   class default
      number = -2
   end select
end subroutine take_column

!> Characters as long as the longest cell
subroutine load_column_characters(table, column, array, iostat, iomsg)
   !> The table
   type(text_table), intent(in) :: table
   !> Name of the column, or its number from 1, of the kind int32 or int64
   class(*), intent(in) :: column
   !> Allocated to the rows of the table, or not at all
   character(len=:), allocatable, intent(out) :: array(:)
   !> 0, or a value of hr_stat; without it a failure stops the program
   integer(c_int), intent(out), optional :: iostat
   !> What went wrong and what to do; untouched on success
   character(len=*), intent(inout), optional :: iomsg

   character(len=:), allocatable :: name
   integer(c_int64_t) :: number
   integer(c_size_t) :: length, rows
   integer(c_int) :: stat

   call take_column(column, name, number)
   call hr_fortran_fit_column(table, name, number, length, rows, stat)
   if (stat == 0) then
      allocate(character(len=length) :: array(rows))
      call hr_fortran_fill_column(table, name, number, array, "", stat)
      if (stat /= 0) deallocate(array)
   end if
   call report_failure(iostat, iomsg)
end subroutine load_column_characters

!> Logicals of 2 bytes
subroutine load_column_logical16(table, column, array, missing, iostat, iomsg)
   !> Allocated to the rows of the table, or not at all
   logical(int16), allocatable, intent(out) :: array(:)
   include "load_column_steps.inc"
end subroutine load_column_logical16

!> Logicals of 4 bytes
subroutine load_column_logical32(table, column, array, missing, iostat, iomsg)
   !> Allocated to the rows of the table, or not at all
   logical(int32), allocatable, intent(out) :: array(:)
   include "load_column_steps.inc"
end subroutine load_column_logical32

!> Logicals of 8 bytes
subroutine load_column_logical64(table, column, array, missing, iostat, iomsg)
   !> Allocated to the rows of the table, or not at all
   logical(int64), allocatable, intent(out) :: array(:)
   include "load_column_steps.inc"
end subroutine load_column_logical64

end module headrace_table_columns
