!> The one place of the library that stops the program: a failure that no `iostat` asked for.
module headrace_stop
   use, intrinsic :: iso_c_binding, only : c_char, c_int
   use, intrinsic :: iso_fortran_env, only : error_unit
   implicit none
   private

   public :: stop_with_message

contains

!> Print the message and stop with exit code 2
subroutine stop_with_message(message, length) bind(c, name="hr_fortran_stop")
   !> Number of characters
   integer(c_int), value, intent(in) :: length
   !> What went wrong
   character(kind=c_char), intent(in) :: message(length)
   integer :: i

   write(error_unit, "(*(a))") "headrace: ", (message(i), i = 1, length)
   error stop 2, quiet=.true.
end subroutine stop_with_message

end module headrace_stop
