! Another unit has the file of standard output: where each buffer goes into it shows.
program opened_as_standard_output
   implicit none
   integer :: i

   open (10, file="/dev/stdout")
   do i = 1, 2000
      write (6, "(a, i8)") "standard output", i
      write (10, "(a, i8, f9.3)") "the other unit", i, i*1.5
      if (mod(i, 700) == 0) flush (10)
   end do
end program opened_as_standard_output
