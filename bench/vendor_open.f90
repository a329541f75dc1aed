!> Intel's own OPEN specifiers, unformatted sequential. Other compilers refuse this family.
!>
!> Written from Intel's documentation and untested: BUFFERED="YES" collects small writes in a
!> buffer, BLOCKSIZE= is the size of that buffer in bytes, BUFFERCOUNT= how many of them there are.
module vendor_open_mechanisms
   use, intrinsic :: iso_fortran_env, only : int64, real64
   implicit none
   public

contains

subroutine open_buffered(file, status, unit)
   character(len=*), intent(in) :: file, status
   integer, intent(out) :: unit

   open(newunit=unit, file=file, form="unformatted", buffered="yes", status=status)
end subroutine open_buffered

subroutine open_buffered_blocks(file, status, unit)
   character(len=*), intent(in) :: file, status
   integer, intent(out) :: unit

   open(newunit=unit, file=file, form="unformatted", buffered="yes", &
      & blocksize=1048576, buffercount=4, status=status)
end subroutine open_buffered_blocks

subroutine write_element_buffered(array, unit)
   real(real64), intent(in) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64)
      write (unit) array(i)
   end do
end subroutine write_element_buffered

subroutine read_element_buffered(array, unit)
   real(real64), intent(inout) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64)
      read (unit) array(i)
   end do
end subroutine read_element_buffered

subroutine write_whole_buffered(array, unit)
   real(real64), intent(in) :: array(:, :)
   integer, intent(in) :: unit

   write (unit) array
end subroutine write_whole_buffered

subroutine read_whole_buffered(array, unit)
   real(real64), intent(inout) :: array(:, :)
   integer, intent(in) :: unit

   read (unit) array
end subroutine read_whole_buffered

subroutine write_element_buffered_blocks(array, unit)
   real(real64), intent(in) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64)
      write (unit) array(i)
   end do
end subroutine write_element_buffered_blocks

subroutine read_element_buffered_blocks(array, unit)
   real(real64), intent(inout) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64)
      read (unit) array(i)
   end do
end subroutine read_element_buffered_blocks

end module vendor_open_mechanisms

program vendor_open
   use harness, only : add_rows, add_vector, run_mechanism
   use vendor_open_mechanisms
   implicit none

   call add_vector("element_buffered", open_buffered, write_element_buffered, read_element_buffered)
   call add_rows("whole_buffered", open_buffered, write_whole_buffered, read_whole_buffered)
   call add_vector("element_buffered_blocks", open_buffered_blocks, &
      & write_element_buffered_blocks, read_element_buffered_blocks)
   call run_mechanism()
end program vendor_open
