! What cannot be written is reported as without the library: at the latest when the unit is closed.
!run: exit 1
!run: errors
program full_device
   implicit none
   integer :: i, status
   open (10, file="/dev/full", access="stream", action="write", status="old")
   do i = 1, 10
      write (10, iostat=status) i
   end do
   close (10, iostat=status)
   write (*, *) status
   open (10, file="a.bin", access="stream", action="read", status="replace", iostat=status)
   open (10, file="a.bin", access="stream", action="read", iostat=status)
   write (10, iostat=status) 1
   write (*, *) status
   read (10, iostat=status) i
   write (*, *) status
   error stop
end program full_device
