!run: errors
!run: case alloc
!run: case unit
!run: case status
!run: exit 2
program run_time_errors
   implicit none
   real, allocatable :: a(:)
   character(10) :: how
   integer :: i
   call get_command_argument(1, how)
   open (10, file="a.txt")
   do i = 1, 500
      write (10, *) i
   end do
   if (how == "alloc") then
      allocate (a(10))
      allocate (a(10))
   else if (how == "unit") then
      i = -5
      write (i, *) i
   else
      open (11, file="missing.txt", status="old")
   end if
   if (how == "alloc") stop 2
end program run_time_errors
