!> The values that a worker writes and reads. Next: ../text/fortran_ways.f90.
!>
!> One file of this name a kind; the ways are the same source for each.
module worker_values
   use, intrinsic :: iso_fortran_env, only : real64
   implicit none
   private

   !> What is written and what was read: the columns of a row lie side by side
   real(real64), allocatable, public :: x(:, :), y(:, :)

   !> The same for libraries that want the rows in the first dimension, see turned.f90
   real(real64), allocatable, public :: turned(:, :), found(:, :)

end module worker_values
