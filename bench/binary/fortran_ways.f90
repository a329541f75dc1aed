!> Fortran's own statements for binary files: the whole array in one statement, and a loop of READs
!> over short records. Next: ../harness/worker.f90.
module worker_ways
   use worker_values, only : x, y
   implicit none
   private

   public :: prepare, write_values, read_values, collect

   !> Seconds of the parts of a way that has parts; these have none
   double precision, allocatable, public :: phase_seconds(:)

contains

!> Nothing: the arrays are as these statements want them
subroutine prepare()
end subroutine prepare

!> Write all of x
subroutine write_values(how, status, file)
   !> "unformatted", "big-endian" or "stream"
   character(len=*), intent(in) :: how
   !> "replace" for a fresh file, "old" to overwrite the pages of one
   character(len=*), intent(in) :: status
   character(len=*), intent(in) :: file
   integer :: unit

   select case (how)
   case ("unformatted")
      open (newunit=unit, file=file, status=status, action="readwrite", form="unformatted")
   case ("big-endian")
      open (newunit=unit, file=file, status=status, action="readwrite", form="unformatted", &
         & convert="big_endian")
   case ("stream")
      open (newunit=unit, file=file, status=status, action="readwrite", form="unformatted", &
         & access="stream")
   case default
      error stop "no such way"
   end select
   write (unit) x
   close (unit)
end subroutine write_values

!> Read a file into all of y; its first records with "records"
subroutine read_values(how, status, file)
   character(len=*), intent(in) :: how
   character(len=*), intent(in) :: status
   character(len=*), intent(in) :: file
   integer :: unit, i

   if (len(status) > 0) error stop "files that are read have no status"
   select case (how)
   case ("unformatted", "records")
      open (newunit=unit, file=file, status="old", action="read", form="unformatted")
   case ("big-endian")
      open (newunit=unit, file=file, status="old", action="read", form="unformatted", &
         & convert="big_endian")
   case ("stream")
      open (newunit=unit, file=file, status="old", action="read", form="unformatted", &
         & access="stream")
   case default
      error stop "no such way"
   end select
   if (how == "records") then
      do i = 1, size(y, 2)
         read (unit) y(1, i)
      end do
   else
      read (unit) y
   end if
   close (unit)
end subroutine read_values

!> Nothing: y is filled
subroutine collect()
end subroutine collect

end module worker_ways
