!> Input and output of a derived type through its own procedures (child I/O). First: answers.f90.
module child_io_points
   use, intrinsic :: iso_fortran_env, only : real64
   implicit none
   private

   public :: point

   type :: point
      integer :: label = -1
      real(real64) :: place = -1
   contains
      procedure, private :: write_text, read_text, write_binary, read_binary
      generic :: write(formatted) => write_text
      generic :: read(formatted) => read_text
      generic :: write(unformatted) => write_binary
      generic :: read(unformatted) => read_binary
   end type point

contains

subroutine write_text(dtv, unit, iotype, v_list, iostat, iomsg)
   class(point), intent(in) :: dtv
   integer, intent(in) :: unit
   character(len=*), intent(in) :: iotype
   integer, intent(in) :: v_list(:)
   integer, intent(out) :: iostat
   character(len=*), intent(inout) :: iomsg

   if (iotype == "LISTDIRECTED" .or. size(v_list) > 0) then
      write (unit, *, iostat=iostat, iomsg=iomsg) dtv%label, dtv%place
   else
      write (unit, "(i6, es24.16e3)", iostat=iostat, iomsg=iomsg) dtv%label, dtv%place
   end if
end subroutine write_text

subroutine read_text(dtv, unit, iotype, v_list, iostat, iomsg)
   class(point), intent(inout) :: dtv
   integer, intent(in) :: unit
   character(len=*), intent(in) :: iotype
   integer, intent(in) :: v_list(:)
   integer, intent(out) :: iostat
   character(len=*), intent(inout) :: iomsg

   if (iotype == "LISTDIRECTED" .or. size(v_list) > 0) then
      read (unit, *, iostat=iostat, iomsg=iomsg) dtv%label, dtv%place
   else
      read (unit, "(i6, es24.16e3)", iostat=iostat, iomsg=iomsg) dtv%label, dtv%place
   end if
end subroutine read_text

subroutine write_binary(dtv, unit, iostat, iomsg)
   class(point), intent(in) :: dtv
   integer, intent(in) :: unit
   integer, intent(out) :: iostat
   character(len=*), intent(inout) :: iomsg

   write (unit, iostat=iostat, iomsg=iomsg) dtv%label, dtv%place
end subroutine write_binary

subroutine read_binary(dtv, unit, iostat, iomsg)
   class(point), intent(inout) :: dtv
   integer, intent(in) :: unit
   integer, intent(out) :: iostat
   character(len=*), intent(inout) :: iomsg

   read (unit, iostat=iostat, iomsg=iomsg) dtv%label, dtv%place
end subroutine read_binary

end module child_io_points

program child_io
   use, intrinsic :: iso_fortran_env, only : real64
   use check_answers, only : answer, asked_check, digits, said, step, unknown_check
   use child_io_points, only : point
   implicit none

   integer, parameter :: count = 6
   character(len=200) :: message = " "
   type(point) :: sent(count), found(count)
   integer :: unit, status, i

   sent = [(point(i, i + 1 / 3.0_real64), i = 1, count)]
   status = 0
   select case (asked_check())
   case ("child-unformatted"); call child_unformatted()
   case ("child-formatted"); call child_formatted()
   case ("child-list"); call child_list()
   case default; call unknown_check()
   end select

contains

!> Check child-unformatted: Do records of a derived type with its own unformatted I/O come back?
!> Instead: write the components in the statement itself.
subroutine child_unformatted()

   open (newunit=unit, file="child.dat", form="unformatted", status="replace")
   do i = 1, count
      if (status == 0) write (unit, iostat=status, iomsg=message) sent(i)
   end do
   rewind (unit)
   do i = 1, count
      if (status == 0) read (unit, iostat=status, iomsg=message) found(i)
   end do
   call judge()
end subroutine child_unformatted

!> Check child-formatted: Do records written with the edit descriptor DT come back?
!> Instead: write the components with a format of their own.
subroutine child_formatted()

   open (newunit=unit, file="child.txt", status="replace")
   do i = 1, count
      if (status == 0) write (unit, "(dt)", iostat=status, iomsg=message) sent(i)
   end do
   rewind (unit)
   do i = 1, count
      if (status == 0) read (unit, "(dt)", iostat=status, iomsg=message) found(i)
   end do
   call judge()
end subroutine child_formatted

!> Check child-list: Do list-directed records of a derived type with its own I/O come back?
!> Instead: write and read the components in the statement itself.
subroutine child_list()

   open (newunit=unit, file="child.txt", status="replace")
   do i = 1, count
      if (status == 0) write (unit, *, iostat=status, iomsg=message) sent(i)
   end do
   rewind (unit)
   do i = 1, count
      if (status == 0) read (unit, *, iostat=status, iomsg=message) found(i)
   end do
   call judge()
end subroutine child_list

subroutine judge()
   integer :: equal

   close (unit)
   equal = 0
   do i = 1, count
      if (found(i)%label == sent(i)%label .and. &
         & abs(found(i)%place - sent(i)%place) <= 0) equal = equal + 1
   end do
   if (equal == count .and. status == 0) then
      call answer("right", digits(count) // " records come back equal")
   else
      call answer("wrong", digits(equal) // " of " // digits(count) // &
         & " records come back equal; labels " // digits(found(1)%label) // ", " // &
         & digits(found(2)%label) // ", " // digits(found(3)%label) // " for 1, 2, 3; " // &
         & said(status, message))
   end if
end subroutine judge

end program child_io
