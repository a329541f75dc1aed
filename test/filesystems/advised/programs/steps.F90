! Each step is written to a new file; ONE_FILE: all go to one.
program steps
   use, intrinsic :: iso_fortran_env, only : real64
   implicit none
   integer :: unit, step
   real(real64) :: x(100)
   character(len=16) :: name

   x = 1.5_real64
#ifdef ONE_FILE
   open (newunit=unit, file="steps", form="unformatted", status="replace", action="write")
#endif
   do step = 1, STEPS
#ifndef ONE_FILE
      write (name, "(a, i0)") "step", step
      open (newunit=unit, file=trim(name), form="unformatted", status="replace", action="write")
#endif
      write (unit) x
#ifndef ONE_FILE
      close (unit)
#endif
   end do
#ifdef ONE_FILE
   close (unit)
#endif
end program steps
