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
      type(c_ptr) :: base = c_null_ptr
      integer(c_size_t) :: bytes = 8
      integer(c_int) :: type = real_type, array_rank = 1
      integer(c_intptr_t) :: extent(most_dimensions) = 0, stride(most_dimensions) = 8
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

   interface write_array
      procedure :: write_vector, write_matrix
   end interface write_array

   interface read_array
      procedure :: read_vector, read_matrix
   end interface read_array

   character(len=:), allocatable :: name

contains

!> headrace opens and closes the file itself
subroutine remember(file, status, unit)
   character(len=*), intent(in) :: file, status
   integer, intent(out) :: unit

   name = trim(file)
   unit = 0
end subroutine remember

subroutine close_nothing(unit)
   integer, intent(in) :: unit

end subroutine close_nothing

subroutine write_text(array, unit)
   real(real64), intent(in) :: array(:, :)
   integer, intent(in) :: unit

   call write_array(name, array, format="csv")
end subroutine write_text

subroutine read_text(array, unit)
   real(real64), intent(inout) :: array(:, :)
   integer, intent(in) :: unit

   call read_array(name, array, format="csv")
end subroutine read_text

subroutine write_unformatted(array, unit)
   real(real64), intent(in) :: array(:)
   integer, intent(in) :: unit

   call write_array(name, array, format="unformatted")
end subroutine write_unformatted

subroutine read_unformatted(array, unit)
   real(real64), intent(inout) :: array(:)
   integer, intent(in) :: unit

   call read_array(name, array, format="unformatted")
end subroutine read_unformatted

subroutine write_npy(array, unit)
   real(real64), intent(in) :: array(:)
   integer, intent(in) :: unit

   call write_array(name, array, format="npy")
end subroutine write_npy

subroutine read_npy(array, unit)
   real(real64), intent(inout) :: array(:)
   integer, intent(in) :: unit

   call read_array(name, array, format="npy")
end subroutine read_npy

! No dummy argument is `contiguous`: gfortran would copy the array, as no call of the module does.
subroutine write_vector(file, array, format)
   character(len=*), intent(in) :: file, format
   real(real64), intent(in), target :: array(:)

   call put(file, vector(array), format)
end subroutine write_vector

subroutine write_matrix(file, array, format)
   character(len=*), intent(in) :: file, format
   real(real64), intent(in), target :: array(:, :)

   call put(file, matrix(array), format)
end subroutine write_matrix

subroutine read_vector(file, array, format)
   character(len=*), intent(in) :: file, format
   real(real64), intent(inout), target :: array(:)

   call get(file, vector(array), format)
end subroutine read_vector

subroutine read_matrix(file, array, format)
   character(len=*), intent(in) :: file, format
   real(real64), intent(inout), target :: array(:, :)

   call get(file, matrix(array), format)
end subroutine read_matrix

subroutine put(file, array, format)
   character(len=*), intent(in) :: file, format
   type(described_array), intent(in) :: array
   character(len=len(format) + 1, kind=c_char), target :: chosen
   type(error_told) :: error
   type(options) :: how

   chosen = format // c_null_char
   how%format = c_loc(chosen)
   if (hr_write_array(file // c_null_char, array, how, error) /= 0) call stop_with(error)
end subroutine put

subroutine get(file, array, format)
   character(len=*), intent(in) :: file, format
   type(described_array), intent(in) :: array
   character(len=len(format) + 1, kind=c_char), target :: chosen
   type(error_told) :: error
   type(options) :: how

   chosen = format // c_null_char
   how%format = c_loc(chosen)
   if (hr_read_array(file // c_null_char, array, how, error) /= 0) call stop_with(error)
end subroutine get

function vector(array) result(found)
   real(real64), intent(in), target :: array(:)
   type(described_array) :: found

   found%extent(1) = size(array, kind=c_intptr_t)
   if (size(array) == 0) return
   found%base = c_loc(array(1))
   if (size(array) > 1) found%stride(1) = address(c_loc(array(2))) - address(found%base)
end function vector

function matrix(array) result(found)
   real(real64), intent(in), target :: array(:, :)
   type(described_array) :: found

   found%array_rank = 2
   found%extent(:2) = shape(array, kind=c_intptr_t)
   if (size(array) == 0) return
   found%base = c_loc(array(1, 1))
   if (size(array, 1) > 1) found%stride(1) = address(c_loc(array(2, 1))) - address(found%base)
   if (size(array, 2) > 1) found%stride(2) = address(c_loc(array(1, 2))) - address(found%base)
end function matrix

pure integer(c_intptr_t) function address(place)
   type(c_ptr), intent(in) :: place

   address = transfer(place, address)
end function address

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

   call add_columns("text", remember, write_text, read_text, close=close_nothing)
   call add_vector("unformatted", remember, write_unformatted, read_unformatted, &
      & close=close_nothing)
   call add_vector("npy", remember, write_npy, read_npy, close=close_nothing)
   call run_mechanism()
end program headrace
