program chooses_the_format_by_ending_or_name
   use, intrinsic :: iso_c_binding, only : c_null_char
   use headrace, only : write_array, read_array, hr_stat
   use checks, only : check, check_status, finish
   implicit none
   character(len=100) :: name, message
   character(len=400) :: long
   real :: x(5), y(5)
   integer :: stat, bytes

   call random_number(x)
   name = "ending.BIN"
   call write_array(name, x, sync="file")
   inquire(file="ending.BIN", size=bytes)
   call check(bytes == 20, "trailing blanks of a file name do not count")
   call read_array("ending.BIN"//c_null_char, y)
   call check(all(x == y), "a null character ends a file name")

   call write_array("ending.xyz", x, iostat=stat, iomsg=long)
   call check_status(stat, hr_stat%format_unknown, long, "known are raw (.raw .bin)")
   call write_array("ending.xyz", x, format="raw   ", iostat=stat, iomsg=message)
   call check(stat == 0, "format= overrides the ending")
   y = 0
   call read_array("ending.xyz", y, format="RAW")
   call check(all(x == y), "case does not matter")
   call read_array("ending.xyz", y, format="cooked", iostat=stat, iomsg=long)
   call check_status(stat, hr_stat%format_unknown, long, """cooked""")
   call write_array("ending.raw", x, sync="perhaps", iostat=stat, iomsg=long)
   call check_status(stat, hr_stat%option_unknown, long, "known are ""none"", ""file""")
   call finish()
end program chooses_the_format_by_ending_or_name
