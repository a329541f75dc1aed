!> Nothing is opened, transferred or closed: what the harness itself costs.
module null_mechanisms
   use, intrinsic :: iso_fortran_env, only : int64, real64
   use harness, only : expected_real
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

!> Nothing was read, so what the harness expects is put there
subroutine collect_nothing(array)
   real(real64), intent(inout) :: array(:)
   integer(int64) :: i

   do i = 1, size(array, kind=int64)
      array(i) = expected_real(i)
   end do
end subroutine collect_nothing

end module null_mechanisms

program null
   use harness, only : add_vector, run_mechanism
   use null_mechanisms
   implicit none

   call add_vector("nothing", open_nothing, write_nothing, read_nothing, &
      & collect=collect_nothing, close=close_nothing)
   call run_mechanism()
end program null
