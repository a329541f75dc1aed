!> Opens files of the other byte order. CONVERT= is an extension: if a compiler or its flags
!> refuse it, not_swapped.f90 takes the place of this file and the micro-runs of that kind are left
!> out. Next: micro.f90.
module micro_swapped
   implicit none
   private

   public :: open_swapped

contains

subroutine open_swapped(file, access, status, unit)
   character(len=*), intent(in) :: file, access, status
   integer, intent(out) :: unit

   open(newunit=unit, file=file, form="unformatted", access=access, convert="big_endian", &
      & status=status)
end subroutine open_swapped

end module micro_swapped
