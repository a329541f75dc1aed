!> What load_array calls where Fortran allocates: fit_to_file before, hr_fortran_fill after.
!>
!> The options go to C++ as one value of places and numbers, because gfortran 12 cannot pass an
!> optional character argument on to a bind(c) procedure (internal error).
!>
!> Next: ../bindings/load_arrays.cpp, which keeps the options from the one to the other.
module headrace_load_steps
   use, intrinsic :: iso_c_binding, only : c_char, c_int, c_int64_t, c_loc, c_null_ptr, &
      & c_ptr, c_size_t
   implicit none
   private

   public :: fit_to_file, hr_fortran_fill, hr_fortran_find_names, text_place

   !> Values of hr_type in headrace.h
   integer(c_int), parameter, public :: logical_type = 4, character_type = 5

   !> Where the characters of an argument lie; no place: it is absent
   type, bind(c), public :: argument_text
      type(c_ptr) :: bytes = c_null_ptr
      integer(c_size_t) :: length = 0
   end type argument_text

   !> The file and the options of a load; 0 stands for an absent number
   type, bind(c), public :: load_request
      type(argument_text) :: file, number, delimiter, decimal, header, comment, missing, format, &
         & byte_order, name
      integer(c_int) :: skip_rows = 0, threads = 0, record_marker = 0
   end type load_request

   interface
      subroutine hr_fortran_fit(array_type, array_rank, length, extent, stat, request, columns) &
            & bind(c, name="hr_fortran_fit")
         import :: c_int, c_size_t, load_request
         implicit none
         integer(c_int), intent(in) :: array_type, array_rank
         integer(c_size_t), intent(inout) :: length
         integer(c_size_t), intent(out) :: extent(7)
         integer(c_int), intent(out) :: stat
         type(load_request), intent(in) :: request
         type(*), dimension(..), intent(in), optional :: columns
      end subroutine hr_fortran_fit

      !> Read the file into the array that has been allocated for it; 0 when that went well
      integer(c_int) function hr_fortran_fill(array) bind(c, name="hr_fortran_fill")
         import :: c_int
         implicit none
         type(*), dimension(..), intent(inout) :: array
      end function hr_fortran_fill

      !> How many names load_names finds, and the length of the longest
      subroutine hr_fortran_find_names(length, count, stat, request) &
            & bind(c, name="hr_fortran_find_names")
         import :: c_int, c_size_t, load_request
         implicit none
         integer(c_size_t), intent(out) :: length, count
         integer(c_int), intent(out) :: stat
         type(load_request), intent(in) :: request
      end subroutine hr_fortran_find_names
   end interface

contains

!> Where the characters of an argument lie
function text_place(text) result(place)
   !> The argument, as the caller of load_array gave it
   character(kind=c_char, len=*), intent(in), optional, target :: text
   type(argument_text) :: place

   if (.not. present(text)) return
   place%bytes = c_loc(text)
   place%length = len(text)
end function text_place

!> Find how large an array the file needs
subroutine fit_to_file(array_type, array_rank, length, extent, stat, request, columns)
   !> logical_type or character_type
   integer(c_int), intent(in) :: array_type
   !> As many extents are found
   integer, intent(in) :: array_rank
   !> Bytes of an element; found for characters
   integer(c_size_t), intent(inout) :: length
   integer(c_size_t), intent(out) :: extent(7)
   !> Not 0 after a failure, which report_failure tells
   integer(c_int), intent(out) :: stat
   !> The other arguments of load_array
   type(load_request), intent(in) :: request
   !> As in load_array. No type(*): gfortran 12 then loses the lengths of the texts beside names
   class(*), intent(in), optional :: columns(:)

   character(kind=c_char, len=:), allocatable :: names(:)
   integer(c_int) :: dimensions

   dimensions = int(array_rank, c_int)
   if (.not. present(columns)) then
      call hr_fortran_fit(array_type, dimensions, length, extent, stat, request)
      return
   end if
   select type (columns)
   type is (character(len=*))
      ! A copy: gfortran 12 passes a name of class(*) on with a wrong distance to the next.
      allocate(character(len=max(1, len(columns))) :: names(size(columns)))
      names = columns
      call hr_fortran_fit(array_type, dimensions, length, extent, stat, request, names)
   type is (integer(c_int))
      call hr_fortran_fit(array_type, dimensions, length, extent, stat, request, &
         & int(columns, c_int64_t))
   type is (integer(c_int64_t))
      call hr_fortran_fit(array_type, dimensions, length, extent, stat, request, &
         & int(columns, c_int64_t))
   class default ! a column that no file has
      call hr_fortran_fit(array_type, dimensions, length, extent, stat, request, [0_c_int])
   end select
end subroutine fit_to_file

end module headrace_load_steps
