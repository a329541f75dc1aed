!run: errors
program standard_output_and_error
   use, intrinsic :: iso_fortran_env, only : error_unit, output_unit
   implicit none
   integer :: i
   do i = 1, 40
      print *, "print", i
      write (output_unit, "(a,i5)") "output", i
      write (error_unit, "(a,i5)") "error", i
      write (6, "(f8.3)") i * 0.1
      if (mod(i, 10) == 0) flush (6)
      write (0, *) "zero", i
   end do
end program standard_output_and_error
