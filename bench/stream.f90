!> Stream access, unformatted: no record marks, the file holds the bytes of the array, nothing else.
module stream_mechanisms
   use, intrinsic :: iso_fortran_env, only : int64, real64
   implicit none
   public

   !> Multiples of it, modulo the number of rows, visit all rows once
   integer(int64) :: stride = 1

contains

subroutine open_stream(file, status, unit)
   character(len=*), intent(in) :: file, status
   integer, intent(out) :: unit

   open(newunit=unit, file=file, form="unformatted", access="stream", status=status)
end subroutine open_stream

subroutine write_element(array, unit)
   real(real64), intent(in) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64)
      write (unit) array(i)
   end do
end subroutine write_element

subroutine read_element(array, unit)
   real(real64), intent(inout) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64)
      read (unit) array(i)
   end do
end subroutine read_element

subroutine write_row(array, unit)
   real(real64), intent(in) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, 2, int64)
      write (unit) array(:, i)
   end do
end subroutine write_row

subroutine read_row(array, unit)
   real(real64), intent(inout) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, 2, int64)
      read (unit) array(:, i)
   end do
end subroutine read_row

subroutine write_blocks_64k(array, unit)
   real(real64), intent(in) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64), 8192
      write (unit) array(i:min(i + 8191, size(array, kind=int64)))
   end do
end subroutine write_blocks_64k

subroutine read_blocks_64k(array, unit)
   real(real64), intent(inout) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64), 8192
      read (unit) array(i:min(i + 8191, size(array, kind=int64)))
   end do
end subroutine read_blocks_64k

subroutine write_blocks_1m(array, unit)
   real(real64), intent(in) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64), 131072
      write (unit) array(i:min(i + 131071, size(array, kind=int64)))
   end do
end subroutine write_blocks_1m

subroutine read_blocks_1m(array, unit)
   real(real64), intent(inout) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64), 131072
      read (unit) array(i:min(i + 131071, size(array, kind=int64)))
   end do
end subroutine read_blocks_1m

subroutine write_whole(array, unit)
   real(real64), intent(in) :: array(:, :)
   integer, intent(in) :: unit

   write (unit) array
end subroutine write_whole

subroutine read_whole(array, unit)
   real(real64), intent(inout) :: array(:, :)
   integer, intent(in) :: unit

   read (unit) array
end subroutine read_whole

subroutine write_seek_forward(array, unit)
   real(real64), intent(in) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, 2, int64)
      write (unit, pos=24 * (i - 1) + 1) array(:, i)
   end do
end subroutine write_seek_forward

subroutine read_seek_forward(array, unit)
   real(real64), intent(inout) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, 2, int64)
      read (unit, pos=24 * (i - 1) + 1) array(:, i)
   end do
end subroutine read_seek_forward

subroutine write_seek_backward(array, unit)
   real(real64), intent(in) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = size(array, 2, int64), 1, -1
      write (unit, pos=24 * (i - 1) + 1) array(:, i)
   end do
end subroutine write_seek_backward

subroutine read_seek_backward(array, unit)
   real(real64), intent(inout) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = size(array, 2, int64), 1, -1
      read (unit, pos=24 * (i - 1) + 1) array(:, i)
   end do
end subroutine read_seek_backward

subroutine write_seek_random(array, unit)
   real(real64), intent(in) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: i, row

   do i = 1, size(array, 2, int64)
      row = modulo(i * stride, size(array, 2, int64)) + 1
      write (unit, pos=24 * (row - 1) + 1) array(:, row)
   end do
end subroutine write_seek_random

subroutine read_seek_random(array, unit)
   real(real64), intent(inout) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: i, row

   do i = 1, size(array, 2, int64)
      row = modulo(i * stride, size(array, 2, int64)) + 1
      read (unit, pos=24 * (row - 1) + 1) array(:, row)
   end do
end subroutine read_seek_random

!> A stride near the golden section of the rows that has no divisor in common with their number
subroutine prepare_seek_random(array)
   real(real64), intent(in) :: array(:)
   integer(int64) :: rows

   rows = size(array, kind=int64) / 3
   stride = max(1_int64, int(0.6180339887498949_real64 * real(rows, real64), int64))
   do while (greatest_common_divisor(rows, stride) /= 1)
      stride = stride + 1
   end do
end subroutine prepare_seek_random

pure recursive integer(int64) function greatest_common_divisor(a, b) result(divisor)
   integer(int64), intent(in) :: a, b

   if (b == 0) then
      divisor = a
   else
      divisor = greatest_common_divisor(b, modulo(a, b))
   end if
end function greatest_common_divisor

end module stream_mechanisms

program stream
   use harness, only : add_rows, add_vector, run_mechanism
   use stream_mechanisms
   implicit none

   call add_vector("element", open_stream, write_element, read_element)
   call add_rows("row", open_stream, write_row, read_row)
   call add_vector("blocks_64k", open_stream, write_blocks_64k, read_blocks_64k)
   call add_vector("blocks_1m", open_stream, write_blocks_1m, read_blocks_1m)
   call add_rows("whole", open_stream, write_whole, read_whole)
   call add_rows("seek_forward", open_stream, write_seek_forward, read_seek_forward)
   call add_rows("seek_backward", open_stream, write_seek_backward, read_seek_backward)
   call add_rows("seek_random", open_stream, write_seek_random, read_seek_random, &
      & prepare=prepare_seek_random)
   call run_mechanism()
end program stream
