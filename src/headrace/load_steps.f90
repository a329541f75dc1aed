!> The steps of load_array where Fortran allocates: fit_to_file, allocate, fill, report_failure.
!>
!> Next: ../bindings/load_arrays.cpp, which keeps the options from step to step.
module headrace_load_steps
   use, intrinsic :: iso_c_binding, only : c_char, c_int, c_int64_t, c_size_t
   use headrace_kept_text, only : text_or
   implicit none
   private

   public :: fill, fit_to_file

   !> Values of hr_type in headrace.h
   integer(c_int), parameter, public :: logical_type = 4, character_type = 5

   !> Read the file into the array that has been allocated for it; 0 when that went well
   interface fill
      integer(c_int) function hr_fortran_fill(array) bind(c, name="hr_fortran_fill")
         import :: c_int
         implicit none
         type(*), dimension(..), intent(inout) :: array
      end function hr_fortran_fill
   end interface fill

   interface
      subroutine hr_fortran_fit(array_type, length, extent, stat, file, number, delimiter, &
            & decimal, header, comment, skip_rows, columns, missing, threads, format, byte_order, &
            & record_marker, name, column_names) &
            & bind(c, name="hr_fortran_fit")
         import :: c_char, c_int, c_size_t
         implicit none
         integer(c_int), intent(in) :: array_type
         integer(c_size_t), intent(inout) :: length
         integer(c_size_t), intent(out) :: extent(:)
         integer(c_int), intent(out) :: stat
         character(kind=c_char, len=*), intent(in) :: file, number, delimiter, decimal, header, &
            & comment, missing, format, byte_order, name
         integer(c_int), intent(in) :: skip_rows, columns(:), threads, record_marker
         character(kind=c_char, len=*), intent(in) :: column_names(:)
      end subroutine hr_fortran_fit
   end interface

contains

!> Find how large an array the file needs
subroutine fit_to_file(array_type, length, extent, stat, file, number, delimiter, decimal, &
      & header, comment, skip_rows, columns, missing, threads, format, byte_order, record_marker, &
      & name)
   !> logical_type or character_type
   integer(c_int), intent(in) :: array_type
   !> Bytes of an element; found for characters
   integer(c_size_t), intent(inout) :: length
   !> As many as the array has dimensions
   integer(c_size_t), intent(out) :: extent(:)
   !> Not 0 after a failure, which report_failure tells
   integer(c_int), intent(out) :: stat
   !> The arguments of load_array; absent ones become what stands for their default
   character(len=*), intent(in) :: file
   character(len=*), intent(in), optional :: number, delimiter, decimal, header, comment, &
      & missing, format, byte_order, name
   integer(c_int), intent(in), optional :: skip_rows, threads, record_marker
   !> Integers of the kind c_int or int64, or names
   class(*), intent(in), optional :: columns(:)

   integer(c_int), allocatable :: chosen(:)
   character(kind=c_char, len=:), allocatable :: names(:)
   integer(c_int) :: skipped, wanted, marker

   skipped = 0
   if (present(skip_rows)) skipped = skip_rows
   wanted = 0
   if (present(threads)) wanted = threads
   marker = 0
   if (present(record_marker)) marker = record_marker
   call take_columns(chosen, names, columns)
   call hr_fortran_fit(array_type, length, extent, stat, file, text_or("", number), &
      & text_or("", delimiter), text_or("", decimal), text_or("", header), &
      & text_or("", comment), skipped, chosen, text_or("", missing), wanted, text_or("", format), &
      & text_or("", byte_order), marker, text_or("", name), names)
end subroutine fit_to_file

!> The numbers of columns or their names; the other has no elements
subroutine take_columns(numbers, names, columns)
   !> 0, which no column has, for what is no number
   integer(c_int), allocatable, intent(out) :: numbers(:)
   !> A copy: gfortran 12 passes a name of class(*) on with a wrong distance to the next
   character(kind=c_char, len=:), allocatable, intent(out) :: names(:)
   !> As in load_array
   class(*), intent(in), optional :: columns(:)

   integer(c_int) :: length

   if (.not. present(columns)) then
      allocate(numbers(0))
      allocate(character(len=1) :: names(0))
      return
   end if
   select type (columns)
   type is (character(len=*))
      length = max(1, len(columns))
      allocate(character(len=length) :: names(size(columns)))
      names = columns
      allocate(numbers(0))
   type is (integer(c_int))
      allocate(numbers, source=columns)
   type is (integer(c_int64_t))
      allocate(numbers(size(columns)))
      numbers = int(max(0_c_int64_t, min(columns, int(huge(0_c_int), c_int64_t))), c_int)
   class default
      allocate(numbers(max(1, size(columns))))
      numbers = 0
   end select
   if (.not. allocated(names)) allocate(character(len=1) :: names(0))
end subroutine take_columns

end module headrace_load_steps
