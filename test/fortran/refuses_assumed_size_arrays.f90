program refuses_assumed_size_arrays
   use headrace, only : write_array, read_array, hr_stat
   use checks, only : check, check_status, finish
   implicit none
   real :: x(2, 3), y(2, 3)

   call random_number(x)
   y = 0
   call pass(x, y)
   call check(all(x == y), "a section with an upper bound is written and read")
   call finish()

contains

subroutine pass(from, to)
   ! allow(C071)
   real, intent(in) :: from(2, *)
   ! allow(C071)
   real, intent(inout) :: to(2, *)
   character(len=300) :: message
   integer :: stat

   call write_array("assumed_size.raw", from, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%array_assumed_size, message, "x(1:n)")
   call read_array("assumed_size.raw", to, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%array_assumed_size, message, "assumed-size")
   call write_array("assumed_size.raw", from(:, 1:3))
   call read_array("assumed_size.raw", to(:, 1:3))
end subroutine pass

end program refuses_assumed_size_arrays
