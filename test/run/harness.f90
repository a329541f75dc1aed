!> Writes on a file, standard output and standard error: what the tests of the harness run with test/run/wrong.c.
program harness
   use, intrinsic :: iso_fortran_env, only : error_unit, output_unit
   implicit none
   integer :: i, unit
   open (newunit=unit, file="records.txt", status="replace", action="write")
   do i = 1, 100
      write (unit, "(a,i4)") "record", i
   end do
   close (unit)
   write (output_unit, "(a)") "on standard output"
   write (error_unit, "(a)") "on standard error"
end program harness
