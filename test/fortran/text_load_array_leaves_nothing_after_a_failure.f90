!> load_array says why a file fits no array of that rank, and leaves the array without allocation.
program text_load_array_leaves_nothing_after_a_failure
   use headrace, only : hr_stat, load_array, write_array
   use checks, only : check, check_status, finish
   implicit none

   real, allocatable :: x(:, :), line(:), cube(:, :, :), four(:, :, :, :), one
   logical, allocatable :: flags(:), flag_cube(:, :, :)
   character(len=:), allocatable, save :: words(:, :, :)
   character(len=300) :: message
   integer :: stat

   call put("plain.csv", "1,2"//new_line("a")//"3,4")
   allocate(cube(2, 2, 2), flag_cube(1, 1, 1))
   call load_array("plain.csv", cube, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%row_count, message, "states no shape for an array of rank 3")
   call check(.not. allocated(cube), "reals without a stated shape")
   call load_array("plain.csv", flag_cube, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%row_count, message, "states no shape for an array of rank 3")
   call check(.not. allocated(flag_cube), "logicals without a stated shape")
   call load_array("plain.csv", words, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%row_count, message, "states no shape for an array of rank 3")
   call check(.not. allocated(words), "characters without a stated shape")
   call load_array("plain.csv", line, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%row_count, message, "one column or one row")
   call load_array("plain.csv", flags, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%row_count, message, "one column or one row")
   call load_array("plain.csv", one, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%row_count, message, "does not fit a scalar")
   call check(.not. allocated(one), "a scalar for four values")

   call write_array("cube.csv", reshape([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], [2, 2, 2]))
   call load_array("cube.csv", four, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%row_count, message, "found the shape 2 2 2")
   call check(.not. allocated(four), "another array rank than the stated one")

   call put("short.csv", "# shape: 2 2 3"//new_line("a")//"1,2"//new_line("a")//"3,4")
   call load_array("short.csv", cube, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%row_count, message, "does not hold the shape that it states")
   call put("huge.csv", "# shape: 2 4000000000000 9000000000000000"//new_line("a")//"1,2")
   call load_array("huge.csv", cube, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%row_count, message, "does not hold the shape that it states")
   call put("negative.csv", "# shape: 2 -2 -1"//new_line("a")//"1,2"//new_line("a")//"3,4")
   call load_array("negative.csv", cube, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%row_count, message, "states no shape")
   call check(.not. allocated(cube), "a shape of negative numbers")

   call put("bad.csv", "1,2"//new_line("a")//"3,x")
   allocate(x(5, 5), flags(3))
   call load_array("bad.csv", x, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%bad_number, message, "bad.csv:2:3")
   call check(.not. allocated(x), "a cell that is no number")
   call load_array("plain.csv", flags, columns=[1], iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%bad_number, message, "expected T or F")
   call check(.not. allocated(flags), "a cell that is no logical")
   call load_array("bad.raw", x, iostat=stat, iomsg=message)
   call check_status(stat, 2, message, "bad.raw")
   call load_array("bad.csv", flags, threads=-1, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%option_unknown, message, "threads")
   call finish()

contains

!> Make a file of that text
subroutine put(file, text)
   character(len=*), intent(in) :: file, text
   integer :: unit

   open(newunit=unit, file=file, action="write")
   write(unit, "(a)") text
   close(unit)
end subroutine put
end program text_load_array_leaves_nothing_after_a_failure
