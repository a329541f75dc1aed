!> Stands in for swapped.f90 if CONVERT= is refused. Next: micro.f90.
module micro_swapped
   use, intrinsic :: iso_fortran_env, only : error_unit
   implicit none
   private

   public :: open_swapped

contains

subroutine open_swapped(file, access, status, unit)
   character(len=*), intent(in) :: file, access, status
   integer, intent(out) :: unit

   unit = -1
   write (error_unit, "(6a)") "headrace: no CONVERT= for ", file, " ", access, " ", status
   error stop 2
end subroutine open_swapped

end module micro_swapped
