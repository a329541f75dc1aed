!> Several processes read their parts of one file; the values of the others have to be passed over.
!>
!> One process writes the file. The harness tells each reader which values are its own: `part_first`
!> to `part_last` of `total_count`.
module part_of_file_mechanisms
   use, intrinsic :: iso_fortran_env, only : int64, real64
   use harness, only : part_first, part_last, total_count
   implicit none
   public

   real(real64), allocatable :: before(:), after(:)

contains

subroutine open_sequential(file, status, unit)
   character(len=*), intent(in) :: file, status
   integer, intent(out) :: unit

   open(newunit=unit, file=file, form="unformatted", status=status)
end subroutine open_sequential

subroutine open_stream(file, status, unit)
   character(len=*), intent(in) :: file, status
   integer, intent(out) :: unit

   open(newunit=unit, file=file, form="unformatted", access="stream", status=status)
end subroutine open_stream

!> Records of 78,125 values
subroutine open_direct(file, status, unit)
   character(len=*), intent(in) :: file, status
   integer, intent(out) :: unit
   integer :: length

   inquire(iolength=length) 0.0_real64
   open(newunit=unit, file=file, form="unformatted", access="direct", &
      & recl=78125 * length, status=status)
end subroutine open_direct

subroutine write_scalar_dummy(array, unit)
   real(real64), intent(in) :: array(:)
   integer, intent(in) :: unit

   write (unit) array
end subroutine write_scalar_dummy

subroutine read_scalar_dummy(array, unit)
   real(real64), intent(inout) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i
   real(real64) :: other

   read (unit) (other, i=1, part_first - 1), (array(i), i=1, size(array, kind=int64)), &
      & (other, i=part_last + 1, total_count)
end subroutine read_scalar_dummy

subroutine write_array_dummy(array, unit)
   real(real64), intent(in) :: array(:)
   integer, intent(in) :: unit

   write (unit) array
end subroutine write_array_dummy

subroutine read_array_dummy(array, unit)
   real(real64), intent(inout) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   read (unit) (before(i), i=1, part_first - 1), (array(i), i=1, size(array, kind=int64)), &
      & (after(i), i=1, total_count - part_last)
end subroutine read_array_dummy

!> The dummy arrays exist, and their pages too, before the clock starts
subroutine prepare_array_dummy(array)
   real(real64), intent(in) :: array(:)

   if (allocated(before)) deallocate(before, after)
   allocate(before(part_first - 1), after(total_count - part_last))
   before = 0
   after = 0
end subroutine prepare_array_dummy

!> One value a record
subroutine write_loop(array, unit)
   real(real64), intent(in) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64)
      write (unit) array(i)
   end do
end subroutine write_loop

subroutine read_loop(array, unit)
   real(real64), intent(inout) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i
   real(real64) :: other

   do i = 1, part_first - 1
      read (unit) other
   end do
   do i = 1, size(array, kind=int64)
      read (unit) array(i)
   end do
   do i = part_last + 1, total_count
      read (unit) other
   end do
end subroutine read_loop

subroutine write_stream_position(array, unit)
   real(real64), intent(in) :: array(:)
   integer, intent(in) :: unit

   write (unit) array
end subroutine write_stream_position

subroutine read_stream_position(array, unit)
   real(real64), intent(inout) :: array(:)
   integer, intent(in) :: unit

   read (unit, pos=8 * (part_first - 1) + 1) array
end subroutine read_stream_position

subroutine write_direct(array, unit)
   real(real64), intent(in) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64), 78125
      write (unit, rec=i / 78125 + 1) array(i:min(i + 78124, size(array, kind=int64)))
   end do
end subroutine write_direct

subroutine read_direct(array, unit)
   real(real64), intent(inout) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64), 78125
      read (unit, rec=(part_first + i - 1) / 78125 + 1) &
         & array(i:min(i + 78124, size(array, kind=int64)))
   end do
end subroutine read_direct

end module part_of_file_mechanisms

program part_of_file
   use, intrinsic :: iso_fortran_env, only : int64
   use harness, only : add_vector, run_mechanism
   use part_of_file_mechanisms
   implicit none

   call add_vector("scalar_dummy", open_sequential, write_scalar_dummy, read_scalar_dummy)
   call add_vector("array_dummy", open_sequential, write_array_dummy, read_array_dummy, &
      & prepare=prepare_array_dummy)
   call add_vector("loop", open_sequential, write_loop, read_loop)
   call add_vector("stream_position", open_stream, write_stream_position, read_stream_position)
   call add_vector("direct", open_direct, write_direct, read_direct, grain=78125_int64)
   call run_mechanism()
end program part_of_file
