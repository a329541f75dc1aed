!> Write an array, read it back. Run it: the last line says that nothing was lost.
program write_and_read_an_array
   use headrace, only : load_array, read_array, write_array
   implicit none
   real :: x(1000, 3), y(500, 3), difference
   real, allocatable :: table(:, :)

   call random_number(x)
   call write_array("field.csv", x)           ! text: the shortest that reads back exactly
   call write_array("field.raw", x(::2, :))   ! any type, kind, array rank and section

   call load_array("field.csv", table)
   call read_array("field.raw", y)
   difference = max(maxval(abs(table - x)), maxval(abs(y - x(::2, :))))
   print "(a, es8.1)", "largest difference:", difference
end program write_and_read_an_array
