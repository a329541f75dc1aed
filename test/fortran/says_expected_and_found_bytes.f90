program says_expected_and_found_bytes
   use, intrinsic :: iso_fortran_env, only : real32, real64
   use headrace, only : write_array, read_array, hr_stat
   use checks, only : check, check_status, finish
   implicit none
   real(real32) :: x(7)
   real(real64) :: y(7)
   character(len=400) :: message
   integer :: stat

   x = 1
   y = 2
   call write_array("single.raw", x)
   call read_array("single.raw", y, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%file_size_mismatch, message, &
         & "expected 56 bytes (7 elements of 8 bytes), found 28 bytes; file ""single.raw""")
   call check(all(y == 2), "the array stays as it was")
   call read_array("single.raw", x(:6), iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%file_size_mismatch, message, "kind and shape")
   call read_array("missing.raw", x, iostat=stat, iomsg=message)
   call check_status(stat, 2, message, "missing.raw")
   call write_array("no/such/directory.raw", x, iostat=stat, iomsg=message)
   call check_status(stat, 2, message, "its directory exists")
   call write_array("   ", x, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%file_name_empty, message, "file name is empty")
   call finish()
end program says_expected_and_found_bytes
