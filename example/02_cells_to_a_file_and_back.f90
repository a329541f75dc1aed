!> Numbers to texts, to a file, and back: n x n reals as hexadecimal cells. Times in seconds.
program cells_to_a_file_and_back
   use headrace_text, only : text_cells, put, get, write_file, read_file, close, len64, str
   implicit none
   type(text_cells) :: cells
   real, allocatable :: x(:, :), y(:, :)
   integer :: n, stat
   character(len=20) :: text

   call get_command_argument(1, text)
   read(text, *, iostat=stat) n
   if (stat /= 0) n = 300
   allocate(x(n, n), y(n, n))
   call random_number(x)
   call clock_says("begin")
   call put(cells, x, fmt="z")
   call clock_says("put, numbers to cells")
   call write_file("cells.csv", cells)
   call clock_says("write_file, "//str(real(len64(cells)) / 1e6, fmt="f", decimals=1)//" MB")
   call read_file("cells.csv", cells)
   call clock_says("read_file")
   call get(cells, y, fmt="z")
   call clock_says("get, cells to numbers")
   call close(cells)
   print "(2a)", "exact match: ", str(all(abs(x - y) <= 0.0))

contains

!> Print the seconds since the last call
subroutine clock_says(what)
   character(len=*), intent(in) :: what
   integer, save :: before = 0
   integer :: now, rate

   call system_clock(now, rate)
   if (before /= 0) print "(f9.3, 2a)", real(now - before) / real(rate), "  ", what
   call system_clock(before)
end subroutine clock_says
end program cells_to_a_file_and_back
