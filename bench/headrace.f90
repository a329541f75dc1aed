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

!> No dummy argument here is `contiguous`: gfortran would copy the whole array, which costs what a
!> call of the module does not.
subroutine write_vector(file, array, format)
   character(len=*), intent(in) :: file, format
   real(real64), intent(in), target :: array(:)

   call put(file, described(c_loc(array(1)), is_contiguous(array), size(array, 1, c_intptr_t)), &
      & format)
end subroutine write_vector

subroutine write_matrix(file, array, format)
   character(len=*), intent(in) :: file, format
   real(real64), intent(in), target :: array(:, :)

   call put(file, described(c_loc(array(1, 1)), is_contiguous(array), &
      & size(array, 1, c_intptr_t), size(array, 2, c_intptr_t)), format)
end subroutine write_matrix

subroutine read_vector(file, array, format)
   character(len=*), intent(in) :: file, format
   real(real64), intent(inout), target :: array(:)

   call get(file, described(c_loc(array(1)), is_contiguous(array), size(array, 1, c_intptr_t)), &
      & format)
end subroutine read_vector

subroutine read_matrix(file, array, format)
   character(len=*), intent(in) :: file, format
   real(real64), intent(inout), target :: array(:, :)

   call get(file, described(c_loc(array(1, 1)), is_contiguous(array), &
      & size(array, 1, c_intptr_t), size(array, 2, c_intptr_t)), format)
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

!> The real64 elements from an address on, of a matrix if there are columns
function described(address, contiguous, rows, columns) result(array)
   type(c_ptr), intent(in) :: address
   logical, intent(in) :: contiguous
   integer(c_intptr_t), intent(in) :: rows
   integer(c_intptr_t), intent(in), optional :: columns
   type(described_array) :: array

   if (.not. contiguous) error stop "headrace: the harness has passed a section of an array"
   array%base = address
   array%extent(1) = rows
   array%stride(1) = 8
   if (.not. present(columns)) return
   array%array_rank = 2
   array%extent(2) = columns
   array%stride(2) = 8 * rows
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

   call add_columns("text", remember, write_text, read_text, close=close_nothing)
   call add_vector("unformatted", remember, write_unformatted, read_unformatted, &
      & close=close_nothing)
   call add_vector("npy", remember, write_npy, read_npy, close=close_nothing)
   call run_mechanism()
end program headrace
