!> Direct access: records of one fixed length, found by their number. The last block may be partial.
module direct_mechanisms
   use, intrinsic :: iso_fortran_env, only : int64, real64
   implicit none
   public

contains

subroutine open_element(file, status, unit)
   character(len=*), intent(in) :: file, status
   integer, intent(out) :: unit

   call open_direct(file, status, 1, unit)
end subroutine open_element

subroutine open_row(file, status, unit)
   character(len=*), intent(in) :: file, status
   integer, intent(out) :: unit

   call open_direct(file, status, 3, unit)
end subroutine open_row

subroutine open_64k(file, status, unit)
   character(len=*), intent(in) :: file, status
   integer, intent(out) :: unit

   call open_direct(file, status, 8192, unit)
end subroutine open_64k

subroutine open_1m(file, status, unit)
   character(len=*), intent(in) :: file, status
   integer, intent(out) :: unit

   call open_direct(file, status, 131072, unit)
end subroutine open_1m

!> Records of so many `values`; RECL= counts bytes or words, only INQUIRE knows
subroutine open_direct(file, status, values, unit)
   character(len=*), intent(in) :: file, status
   integer, intent(in) :: values
   integer, intent(out) :: unit
   integer :: length

   inquire(iolength=length) 0.0_real64
   open(newunit=unit, file=file, form="unformatted", access="direct", &
      & recl=values * length, status=status)
end subroutine open_direct

subroutine write_element(array, unit)
   real(real64), intent(in) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64)
      write (unit, rec=i) array(i)
   end do
end subroutine write_element

subroutine read_element(array, unit)
   real(real64), intent(inout) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64)
      read (unit, rec=i) array(i)
   end do
end subroutine read_element

subroutine write_row(array, unit)
   real(real64), intent(in) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, 2, int64)
      write (unit, rec=i) array(:, i)
   end do
end subroutine write_row

subroutine read_row(array, unit)
   real(real64), intent(inout) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, 2, int64)
      read (unit, rec=i) array(:, i)
   end do
end subroutine read_row

subroutine write_blocks_64k(array, unit)
   real(real64), intent(in) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64), 8192
      write (unit, rec=i / 8192 + 1) array(i:min(i + 8191, size(array, kind=int64)))
   end do
end subroutine write_blocks_64k

subroutine read_blocks_64k(array, unit)
   real(real64), intent(inout) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64), 8192
      read (unit, rec=i / 8192 + 1) array(i:min(i + 8191, size(array, kind=int64)))
   end do
end subroutine read_blocks_64k

subroutine write_blocks_1m(array, unit)
   real(real64), intent(in) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64), 131072
      write (unit, rec=i / 131072 + 1) array(i:min(i + 131071, size(array, kind=int64)))
   end do
end subroutine write_blocks_1m

subroutine read_blocks_1m(array, unit)
   real(real64), intent(inout) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64), 131072
      read (unit, rec=i / 131072 + 1) array(i:min(i + 131071, size(array, kind=int64)))
   end do
end subroutine read_blocks_1m

end module direct_mechanisms

program direct
   use harness, only : add_rows, add_vector, run_mechanism
   use direct_mechanisms
   implicit none

   call add_vector("element", open_element, write_element, read_element)
   call add_rows("row", open_row, write_row, read_row)
   call add_vector("blocks_64k", open_64k, write_blocks_64k, read_blocks_64k)
   call add_vector("blocks_1m", open_1m, write_blocks_1m, read_blocks_1m)
   call run_mechanism()
end program direct
