!> The ways of the IO-Fortran-Library: whole arrays, and its own benchmark through string cells.
!> Next: ../harness/worker.f90.
!>
!> Its arrays have the rows in the first dimension: they are turned outside the clock.
module worker_ways
   use, intrinsic :: iso_fortran_env, only : real64
   use harness_posix, only : seconds_now
   use io_fortran_lib, only : cast, from_file, String, to_file
   use text_turned, only : turn, turn_back
   use worker_values, only : found, turned
   implicit none
   private

   public :: prepare, write_values, read_values, collect

   !> Seconds of the two parts of the way through cells: the conversion and the file
   real(real64), allocatable, public :: phase_seconds(:)

contains

!> Rows into the first dimension
subroutine prepare()
   call turn()
end subroutine prepare

!> Write all of x to a new file
subroutine write_values(how, format, file)
   !> "array" or "cells"
   character(len=*), intent(in) :: how
   !> "e", "f", "i" or "z"
   character(len=*), intent(in) :: format
   character(len=*), intent(in) :: file
   type(String), allocatable :: cells(:, :)
   type(String) :: text
   real(real64) :: begin, middle

   if (how == "array") then
      call to_file(turned, file=file, fmt=format)
      return
   end if
   begin = seconds_now()
   allocate (cells(size(turned, 1), size(turned, 2)))
   call cast(turned, into=cells, fmt=format)
   middle = seconds_now()
   call text%write_file(cells, file=file)
   phase_seconds = [middle - begin, seconds_now() - middle]
end subroutine write_values

!> Read a file into all of y
subroutine read_values(how, format, file)
   character(len=*), intent(in) :: how
   character(len=*), intent(in) :: format
   character(len=*), intent(in) :: file
   type(String), allocatable :: cells(:, :)
   type(String) :: text
   real(real64) :: begin, middle

   if (allocated(found)) deallocate (found)
   if (how == "array") then
      call from_file(file, into=found, fmt=format)
      return
   end if
   begin = seconds_now()
   call text%read_file(file, cell_array=cells)
   middle = seconds_now()
   allocate (found(size(turned, 1), size(turned, 2)))
   call cast(cells, into=found, fmt=format)
   phase_seconds = [middle - begin, seconds_now() - middle]
end subroutine read_values

!> What was read, as the worker compares it
subroutine collect()
   call turn_back()
end subroutine collect

end module worker_ways
