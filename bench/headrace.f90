!> headrace's own calls beside Fortran's statements, through the C interface that its Fortran module
!> stands on: any compiler takes it, whichever one built the library.
!>
!> The defaults of the library: a new file that takes its place when it is complete, all cores for
!> text.
module headrace_mechanisms
   use, intrinsic :: iso_c_binding, only : c_char, c_int, c_int64_t, c_intptr_t, c_loc, &
      & c_null_char, c_null_ptr, c_ptr, c_size_t
   use, intrinsic :: iso_fortran_env, only : error_unit, int64, real64
   implicit none
   public

   integer, parameter :: real_type = 2, most_dimensions = 15, message_length = 2048

   !> hr_array
   type, bind(c) :: described_array
      type(c_ptr) :: base
      integer(c_size_t) :: bytes = 8
      integer(c_int) :: type = real_type, array_rank = 1
      integer(c_intptr_t) :: extent(most_dimensions) = 0, stride(most_dimensions) = 0
   end type described_array

   !> hr_write_options and hr_read_options: the format, and zeros for everything else
   type, bind(c) :: options
      type(c_ptr) :: format
      integer(c_int64_t) :: others(60) = 0
   end type options

   !> hr_error
   type, bind(c) :: error_told
      integer(c_int) :: status = 0
      character(kind=c_char) :: message(message_length)
   end type error_told

   interface
      integer(c_int) function hr_write_array(file, array, how, error) bind(c)
         import :: c_char, c_int, described_array, error_told, options
         character(kind=c_char), intent(in) :: file(*)
         type(described_array), intent(in) :: array
         type(options), intent(in) :: how
         type(error_told), intent(inout) :: error
      end function hr_write_array

      integer(c_int) function hr_read_array(file, array, how, error) bind(c)
         import :: c_char, c_int, described_array, error_told, options
         character(kind=c_char), intent(in) :: file(*)
         type(described_array), intent(in) :: array
         type(options), intent(in) :: how
         type(error_told), intent(inout) :: error
      end function hr_read_array
   end interface

   !> What opening chose
   character(len=:), allocatable :: name, format

contains

subroutine open_csv(file, status, unit)
   character(len=*), intent(in) :: file, status
   integer, intent(out) :: unit

   call choose(file, "csv", unit)
end subroutine open_csv

subroutine open_unformatted(file, status, unit)
   character(len=*), intent(in) :: file, status
   integer, intent(out) :: unit

   call choose(file, "unformatted", unit)
end subroutine open_unformatted

subroutine open_npy(file, status, unit)
   character(len=*), intent(in) :: file, status
   integer, intent(out) :: unit

   call choose(file, "npy", unit)
end subroutine open_npy

!> headrace opens and closes the file itself
subroutine choose(file, written_as, unit)
   character(len=*), intent(in) :: file, written_as
   integer, intent(out) :: unit

   name = trim(file)
   format = written_as
   unit = 0
end subroutine choose

subroutine close_nothing(unit)
   integer, intent(in) :: unit

end subroutine close_nothing

subroutine write_matrix(array, unit)
   real(real64), intent(in) :: array(:, :)
   integer, intent(in) :: unit

   call put(array, shape(array, kind=c_intptr_t))
end subroutine write_matrix

subroutine read_matrix(array, unit)
   real(real64), intent(inout) :: array(:, :)
   integer, intent(in) :: unit

   call get(array, shape(array, kind=c_intptr_t))
end subroutine read_matrix

subroutine write_vector(array, unit)
   real(real64), intent(in) :: array(:)
   integer, intent(in) :: unit

   call put(array, [size(array, kind=c_intptr_t)])
end subroutine write_vector

subroutine read_vector(array, unit)
   real(real64), intent(inout) :: array(:)
   integer, intent(in) :: unit

   call get(array, [size(array, kind=c_intptr_t)])
end subroutine read_vector

subroutine put(array, extents)
   real(real64), intent(in), target :: array(*)
   integer(c_intptr_t), intent(in) :: extents(:)
   character(len=len(format) + 1, kind=c_char), target :: chosen
   type(error_told) :: error
   type(options) :: how

   chosen = format // c_null_char
   how%format = c_loc(chosen)
   if (hr_write_array(name // c_null_char, described(c_loc(array), extents), how, error) /= 0) then
      call stop_with(error)
   end if
end subroutine put

subroutine get(array, extents)
   real(real64), intent(inout), target :: array(*)
   integer(c_intptr_t), intent(in) :: extents(:)
   character(len=len(format) + 1, kind=c_char), target :: chosen
   type(error_told) :: error
   type(options) :: how

   chosen = format // c_null_char
   how%format = c_loc(chosen)
   if (hr_read_array(name // c_null_char, described(c_loc(array), extents), how, error) /= 0) then
      call stop_with(error)
   end if
end subroutine get

!> Contiguous real64 elements at an address
function described(address, extents) result(array)
   type(c_ptr), intent(in) :: address
   integer(c_intptr_t), intent(in) :: extents(:)
   type(described_array) :: array
   integer :: i

   array%base = address
   array%array_rank = size(extents)
   array%extent(:size(extents)) = extents
   array%stride(1) = 8
   do i = 2, size(extents)
      array%stride(i) = array%stride(i - 1) * extents(i - 1)
   end do
end function described

subroutine stop_with(error)
   type(error_told), intent(in) :: error
   integer :: i

   do i = 1, message_length
      if (error%message(i) == c_null_char) exit
      write (error_unit, "(a)", advance="no") error%message(i)
   end do
   write (error_unit, "(a)") ""
   error stop 3
end subroutine stop_with

end module headrace_mechanisms

program headrace
   use harness, only : add_columns, add_vector, run_mechanism
   use headrace_mechanisms
   implicit none

   call add_columns("text", open_csv, write_matrix, read_matrix, close=close_nothing)
   call add_vector("unformatted", open_unformatted, write_vector, read_vector, close=close_nothing)
   call add_vector("npy", open_npy, write_vector, read_vector, close=close_nothing)
   call run_mechanism()
end program headrace
