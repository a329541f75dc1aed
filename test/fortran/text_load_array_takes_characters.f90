!> load_array makes characters as long as the longest cell; cells may be quoted and go over lines.
program text_load_array_takes_characters
   use headrace, only : hr_stat, load_array, read_array, write_array
   use checks, only : check, check_status, finish
   implicit none

   character(len=*), parameter :: line_end = new_line("a")
   character(len=:), allocatable, save :: words(:, :), column(:), cube(:, :, :), &
      & seven(:, :, :, :, :, :, :)
   character(len=7) :: source(2, 3), blocks(2, 2, 3), wrong(2, 3, 2)
   character(len=200) :: message
   integer :: stat, unit

   source = reshape([character(len=7) :: "a", "b,c", 'say "x"', "d"//line_end//"e", "", " f"], &
      & [2, 3])
   call write_array("w.csv", source)
   call load_array("w.csv", words)
   call check(all(shape(words) == [2, 3]), "line feeds in quotes end no row")
   call check(len(words) == 7, "the length of the longest cell")
   if (size(words) == 6) call check(all(words == source), "their texts")
   call load_array("w.csv", column, columns=[2])
   call check(size(column) == 2, "a column")
   if (size(column) == 2) call check(column(2) == "d"//line_end//"e", "its text")
   call load_array("w.csv", column, columns=[1])
   call check(len(column) == 3, "the longest cell of the columns that are read")

   blocks = reshape([character(len=7) :: "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", &
      & "k", "l"], [2, 2, 3])
   call write_array("b.csv", blocks)
   call load_array("b.csv", cube)
   call check(all(shape(cube) == [2, 2, 3]), "a stated shape")
   if (size(cube) == 12) call check(all(cube == blocks), "its texts")
   call read_array("b.csv", wrong, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%row_count, message, "the shape 2 3 2")
   call write_array("s.csv", reshape(blocks, [1, 2, 1, 2, 1, 3, 1]))
   call load_array("s.csv", seven)
   call check(all(shape(seven) == [1, 2, 1, 2, 1, 3, 1]), "array rank 7")

   open(newunit=unit, file="empty.csv", action="write")
   close(unit)
   call load_array("empty.csv", column)
   call check(size(column) == 0, "an empty file")
   open(newunit=unit, file="open.csv", action="write")
   write(unit, "(a)") 'a,"b'
   close(unit)
   call load_array("open.csv", words, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%quote_unbalanced, message, "open.csv:1")
   call check(.not. allocated(words), "not allocated after a failure")

   call write_array("w.csv", source, number="hex", iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%option_unknown, message, "number= has no meaning for characters")
   call load_array("w.csv", words, missing="nan", iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%option_unknown, message, "missing= has no meaning")
   call read_array("w.csv", source, missing="error", iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%option_unknown, message, "missing= has no meaning")
   call read_array("w.csv", source, number="decimal", iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%option_unknown, message, "number= has no meaning for characters")
   call finish()
end program text_load_array_takes_characters
