!> One record of 3 GiB between two small ones. Its number: how many values. First: answers.f90.
program large_record
   use, intrinsic :: iso_fortran_env, only : int32, int64, real64
   use check_answers, only : answer, asked_number, digits, said, step
   implicit none

   character(len=*), parameter :: file = "large.dat"
   real(real64), allocatable :: array(:)
   character(len=200) :: message = " "
   integer(int64) :: count
   integer :: unit

   count = asked_number(1, 402653184_int64)
   allocate (array(count))
   if (written()) call read_back()

contains

!> Check large-record: Does a record of 3 GiB come back, with the record after it?
!> Instead: write records below 2 GiB, or use access='stream'.
logical function written()
   integer(int64) :: i
   integer :: status

   do i = 1, count
      array(i) = real(i, real64)
   end do
   call step("WRITE with iostat= of the large record")
   open (newunit=unit, file=file, form="unformatted", status="replace", action="write")
   write (unit, iostat=status, iomsg=message) 42_int32
   if (status == 0) write (unit, iostat=status, iomsg=message) array
   if (status == 0) write (unit, iostat=status, iomsg=message) 43_int32
   if (status == 0) close (unit, iostat=status, iomsg=message)
   written = status == 0
   if (.not. written) call answer("right", "WRITE of " // digits(8 * count) // &
      & " bytes is refused with " // said(status, message))
end function written

subroutine read_back()
   integer(int32) :: before, after
   integer(int64) :: i, different
   real(real64) :: first
   integer :: status

   before = -1; after = -1; array = 0
   call step("WRITE and CLOSE gave iostat 0, READ with iostat= of the large record")
   open (newunit=unit, file=file, form="unformatted", status="old", action="read")
   read (unit) before
   read (unit, iostat=status, iomsg=message) array
   if (failed(status, "READ of the large record")) return
   different = 0
   do i = 1, count
      if (abs(array(i) - real(i, real64)) > 0) different = different + 1
   end do
   if (different > 0) call answer("wrong", digits(different) // " of " // digits(count) // &
      & " values differ, with iostat 0")
   if (different > 0) return
   call step("READ with iostat= of the record after it")
   read (unit, iostat=status, iomsg=message) after
   if (failed(status, "READ of the record after it")) return
   call step("BACKSPACE with iostat= over the large record")
   backspace (unit, iostat=status, iomsg=message)
   if (status == 0) backspace (unit, iostat=status, iomsg=message)
   if (failed(status, "BACKSPACE over it")) return
   first = 0
   read (unit, iostat=status, iomsg=message) first
   if (failed(status, "READ after BACKSPACE over it")) return
   if (before == 42 .and. after == 43 .and. abs(first - 1) <= 0) then
      call answer("right", digits(8 * count) // &
         & " bytes come back equal, the next record and BACKSPACE work")
   else
      call answer("wrong", "records around it came back as " // digits(before) // " and " // &
         & digits(after) // ", and BACKSPACE led to a record that does not start with 1")
   end if
end subroutine read_back

logical function failed(status, what)
   integer, intent(in) :: status
   character(len=*), intent(in) :: what

   failed = status /= 0
   if (failed) call answer("wrong", digits(8 * count) // " bytes written with iostat 0, then " // &
      & what // " gives " // said(status, message))
end function failed

end program large_record
