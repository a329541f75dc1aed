!> The one place of the library that stops the program: a failure that no `iostat` asked for.
module headrace_stop
   use, intrinsic :: iso_c_binding, only : c_char, c_int
   use, intrinsic :: iso_fortran_env, only : error_unit
   implicit none
   private

   public :: flush_units, stop_with_message

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

!> Bring what was written to all units to their files: MPI may end the program before the run time
!> does. A file that cannot be written stops nothing here: the program ends with another failure.
subroutine flush_units() bind(c, name="hr_fortran_flush_units")
   integer, parameter :: furthest = 2000 ! newunit= counts from -10 downwards with gfortran
   integer :: unit, failed
   logical :: is_open

   do unit = -furthest, furthest
      inquire(unit=unit, opened=is_open, iostat=failed)
      if (failed /= 0 .or. .not. is_open) cycle
      flush(unit, iostat=failed)
      if (failed /= 0) cycle
   end do
end subroutine flush_units

end module headrace_stop
