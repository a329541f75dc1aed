!> Numbers to texts, to a file, and back: reals as hexadecimal cells. It says that nothing was lost.
program cells_to_a_file_and_back
   use headrace_text, only : text_cells, put, get, write_file, read_file, str
   implicit none
   type(text_cells) :: csv
   real :: x(300, 300), y(300, 300)
   call random_number(x)
   call put(csv, x, fmt="z")           ! numbers to cells
   call write_file("cells.csv", csv)
   call read_file("cells.csv", csv)
   call get(csv, y, fmt="z")           ! cells to numbers
   print "(2a)", "exact match: ", str(all(abs(x - y) <= 0.0))
end program cells_to_a_file_and_back
