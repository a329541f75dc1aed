!> Fortran's own statements for text, a row a statement; the array in one unformatted record beside
!> them. Next: ../harness/worker.f90.
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

!> Write all of x to a new file
subroutine write_values(how, format, file)
   !> "rows" (a format), "list" or "unformatted"
   character(len=*), intent(in) :: how
   !> With its parentheses
   character(len=*), intent(in) :: format
   character(len=*), intent(in) :: file
   integer :: unit, i

   select case (how)
   case ("rows")
      open (newunit=unit, file=file, status="replace", action="write")
      do i = 1, size(x, 2)
         write (unit, format) x(:, i)
      end do
   case ("list")
      open (newunit=unit, file=file, status="replace", action="write")
      do i = 1, size(x, 2)
         write (unit, *) x(:, i)
      end do
   case ("unformatted")
      open (newunit=unit, file=file, status="replace", action="write", form="unformatted")
      write (unit) x
   case default
      error stop "no such way"
   end select
   close (unit)
end subroutine write_values

!> Read a file into all of y
subroutine read_values(how, format, file)
   character(len=*), intent(in) :: how
   character(len=*), intent(in) :: format
   character(len=*), intent(in) :: file
   integer :: unit, i

   select case (how)
   case ("rows")
      open (newunit=unit, file=file, status="old", action="read")
      do i = 1, size(y, 2)
         read (unit, format) y(:, i)
      end do
   case ("list")
      open (newunit=unit, file=file, status="old", action="read")
      do i = 1, size(y, 2)
         read (unit, *) y(:, i)
      end do
   case ("unformatted")
      open (newunit=unit, file=file, status="old", action="read", form="unformatted")
      read (unit) y
   case default
      error stop "no such way"
   end select
   close (unit)
end subroutine read_values

!> Nothing: y is filled
subroutine collect()
end subroutine collect

end module worker_ways
