!> The ways of Fortran's community standard library. Next: ../harness/worker.f90.
!>
!> Its arrays have the rows in the first dimension: they are turned outside the clock.
module worker_ways
   use, intrinsic :: iso_fortran_env, only : real64
   use stdlib_io, only : loadtxt, savetxt
   use text_turned, only : turn, turn_back
   use worker_values, only : found, turned
   implicit none
   private

   public :: prepare, write_values, read_values, collect

   !> Seconds of the parts of a way that has parts; these have none
   real(real64), allocatable, public :: phase_seconds(:)

contains

!> Rows into the first dimension
subroutine prepare()
   call turn()
end subroutine prepare

!> Write all of x to a new file
subroutine write_values(how, format, file)
   !> "array"
   character(len=*), intent(in) :: how
   !> Of one value, without parentheses
   character(len=*), intent(in) :: format
   character(len=*), intent(in) :: file

   if (how /= "array") error stop "no such way"
   call savetxt(file, turned, delimiter=",", fmt=format)
end subroutine write_values

!> Read a file into all of y
subroutine read_values(how, format, file)
   character(len=*), intent(in) :: how
   !> "*" for list-directed
   character(len=*), intent(in) :: format
   character(len=*), intent(in) :: file

   if (how /= "array") error stop "no such way"
   call loadtxt(file, found, delimiter=",", fmt=format)
end subroutine read_values

!> What was read, as the worker compares it
subroutine collect()
   call turn_back()
end subroutine collect

end module worker_ways
