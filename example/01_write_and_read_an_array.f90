!> Write an array, read it back. Run it: the last line says that nothing was lost.
program write_and_read_an_array
   use headrace, only : write_array, read_array
   implicit none
   real :: x(3, 1000), y(3, 500)

   call random_number(x)
   call write_array("field.raw", x(:, ::2))   ! any type, kind, array rank and section

   call read_array("field.raw", y)
   print "(a, es8.1)", "largest difference:", maxval(abs(x(:, ::2) - y))
end program write_and_read_an_array
