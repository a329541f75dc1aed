!> Nothing is opened, transferred or closed: what the harness itself costs.
module null_mechanisms
   use, intrinsic :: iso_fortran_env, only : real64
   implicit none
   public

contains

subroutine open_nothing(file, status, unit)
   character(len=*), intent(in) :: file, status
   integer, intent(out) :: unit

   unit = 0
end subroutine open_nothing

subroutine close_nothing(unit)
   integer, intent(in) :: unit

end subroutine close_nothing

subroutine write_nothing(array, unit)
   real(real64), intent(in) :: array(:)
   integer, intent(in) :: unit

end subroutine write_nothing

subroutine read_nothing(array, unit)
   real(real64), intent(inout) :: array(:)
   integer, intent(in) :: unit

end subroutine read_nothing

end module null_mechanisms

program null
   use harness, only : add_vector, collect_expected, run_mechanism
   use null_mechanisms
   implicit none

   call add_vector("nothing", open_nothing, write_nothing, read_nothing, &
      & collect=collect_expected, close=close_nothing)
   call run_mechanism()
end program null
