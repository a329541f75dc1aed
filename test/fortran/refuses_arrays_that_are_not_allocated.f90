program refuses_arrays_that_are_not_allocated
   use headrace, only : write_array, read_array, hr_stat
   use checks, only : check, check_status, finish
   implicit none
   real, allocatable :: none(:, :), gone(:)
   integer, pointer :: nothing(:)
   character(len=300) :: message
   integer :: stat
   logical :: created

   nullify(nothing)
   allocate(gone(5))
   deallocate(gone)

   call write_array("none.raw", none, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%array_not_allocated, message, "not allocated")
   call write_array("none.raw", nothing, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%array_not_allocated, message, "pointer to nothing")
   call write_array("none.raw", gone, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%array_not_allocated, message, "none.raw")
   inquire(file="none.raw", exist=created)
   call check(.not. created, "no file is created")

   call read_array("none.raw", none, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%array_not_allocated, message, "allocate it or")
   call finish()
end program refuses_arrays_that_are_not_allocated
