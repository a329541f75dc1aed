! The run time reports the last error of the system for some statements that fail by themselves: it is that of the program.
program last_error_of_the_system
   implicit none
   integer :: i, status
   logical :: is_open

   open (10, file="no_such_directory/file", status="old", iostat=status)
   write (*, "(a,i0)") "failed OPEN: ", ierrno()
   do i = 21, 24
      write (i, "(i4)") i
      write (*, "(a,i0)") "implicit unit: ", ierrno()
      rewind (i)
      read (i, "(i4)") status
      write (*, "(a,i0)") "read: ", ierrno()
   end do
   open (30, file="/dev/null")
   write (30, "(i4)") 1
   write (*, "(a,i0)") "device: ", ierrno()
   open (10, file="no_such_directory/file", status="old", iostat=status)
   inquire (30, opened=is_open)
   write (*, "(a,i0)") "inquired: ", ierrno()
end program last_error_of_the_system
