! Each step keeps its work in a scratch file of its own.
program scratch
   use, intrinsic :: iso_fortran_env, only : real64
   implicit none
   integer :: unit, step
   real(real64) :: x(1000)

   x = 1.5_real64
   do step = 1, STEPS
      open (newunit=unit, form="unformatted", status="scratch")
      write (unit) x
      rewind (unit)
      read (unit) x
      close (unit)
   end do
end program scratch
