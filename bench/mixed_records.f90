!> An integer, a real and four characters in one statement: 16 bytes of payload a value.
module mixed_records_mechanisms
   use, intrinsic :: iso_fortran_env, only : int32, int64, real64
   implicit none
   public

   integer(int32), allocatable :: identity(:)
   character(len=4), allocatable :: tag(:)

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

subroutine write_record(array, unit)
   real(real64), intent(in) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64)
      write (unit) identity(i), array(i), tag(i)
   end do
end subroutine write_record

subroutine read_record(array, unit)
   real(real64), intent(inout) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64)
      read (unit) identity(i), array(i), tag(i)
   end do
end subroutine read_record

subroutine write_stream_record(array, unit)
   real(real64), intent(in) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64)
      write (unit) identity(i), array(i), tag(i)
   end do
end subroutine write_stream_record

subroutine read_stream_record(array, unit)
   real(real64), intent(inout) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64)
      read (unit) identity(i), array(i), tag(i)
   end do
end subroutine read_stream_record

!> The integers and the characters; nothing when `array` holds the zeros that precede a READ
subroutine prepare_record(array)
   real(real64), intent(in) :: array(:)
   integer(int64) :: i

   if (allocated(identity)) deallocate(identity, tag)
   allocate(identity(size(array, kind=int64)), tag(size(array, kind=int64)))
   identity = 0
   tag = " "
   do i = 1, size(array, kind=int64)
      if (.not. abs(array(i)) > 0) exit
      identity(i) = identity_of(i)
      tag(i) = tag_of(i)
   end do
end subroutine prepare_record

!> A wrong integer or a wrong tag spoils the value beside it, so that the harness sees it
subroutine collect_record(array)
   real(real64), intent(inout) :: array(:)
   integer(int64) :: i

   do i = 1, size(array, kind=int64)
      if (identity(i) /= identity_of(i) .or. tag(i) /= tag_of(i)) array(i) = 0
   end do
end subroutine collect_record

pure integer(int32) function identity_of(i) result(value)
   integer(int64), intent(in) :: i

   value = int(modulo(i, 1000000007_int64), int32)
end function identity_of

!> Four letters that change from record to record
pure character(len=4) function tag_of(i) result(letters)
   integer(int64), intent(in) :: i
   integer :: k

   do k = 1, 4
      letters(k:k) = achar(iachar("a") + int(modulo(i / 26**(k - 1), 26_int64)))
   end do
end function tag_of

end module mixed_records_mechanisms

program mixed_records
   use harness, only : add_vector, run_mechanism
   use mixed_records_mechanisms
   implicit none

   call add_vector("record", open_sequential, write_record, read_record, &
      & prepare=prepare_record, collect=collect_record, value_bytes=16)
   call add_vector("stream_record", open_stream, write_stream_record, read_stream_record, &
      & prepare=prepare_record, collect=collect_record, value_bytes=16)
   call run_mechanism()
end program mixed_records
