!> Asynchronous transfer, waited for at once: what it costs, not what it could hide.
!>
!> The data is the module's own, because a dummy argument in an asynchronous statement changes the
!> interface; `prepare` fills it and `collect` empties it outside the clock.
module asynchronous_mechanisms
   use, intrinsic :: iso_fortran_env, only : int64, real64
   implicit none
   public

   real(real64), allocatable, asynchronous :: payload(:)

contains

subroutine open_asynchronous(file, status, unit)
   character(len=*), intent(in) :: file, status
   integer, intent(out) :: unit

   open(newunit=unit, file=file, form="unformatted", asynchronous="yes", status=status)
end subroutine open_asynchronous

subroutine write_whole(array, unit)
   real(real64), intent(in) :: array(:)
   integer, intent(in) :: unit
   integer :: pending

   write (unit, asynchronous="yes", id=pending) payload
   wait (unit, id=pending)
end subroutine write_whole

subroutine read_whole(array, unit)
   real(real64), intent(inout) :: array(:)
   integer, intent(in) :: unit
   integer :: pending

   read (unit, asynchronous="yes", id=pending) payload
   wait (unit, id=pending)
end subroutine read_whole

!> Records of 1 MiB
subroutine write_blocks(array, unit)
   real(real64), intent(in) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64), 131072
      write (unit, asynchronous="yes") payload(i:min(i + 131071, size(array, kind=int64)))
   end do
   wait (unit)
end subroutine write_blocks

subroutine read_blocks(array, unit)
   real(real64), intent(inout) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64), 131072
      read (unit, asynchronous="yes") payload(i:min(i + 131071, size(array, kind=int64)))
   end do
   wait (unit)
end subroutine read_blocks

subroutine prepare_payload(array)
   real(real64), intent(in) :: array(:)

   payload = array
end subroutine prepare_payload

subroutine collect_payload(array)
   real(real64), intent(inout) :: array(:)

   array = payload
end subroutine collect_payload

end module asynchronous_mechanisms

program asynchronous
   use harness, only : add_vector, run_mechanism
   use asynchronous_mechanisms
   implicit none

   call add_vector("whole", open_asynchronous, write_whole, read_whole, &
      & prepare=prepare_payload, collect=collect_payload)
   call add_vector("blocks", open_asynchronous, write_blocks, read_blocks, &
      & prepare=prepare_payload, collect=collect_payload)
   call run_mechanism()
end program asynchronous
