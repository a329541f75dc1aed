!> Must stop: the test looks at the exit code, the message and the file.
program stops_with_the_message_without_iostat
   use headrace, only : read_array
   implicit none
   real :: x(3)
   integer :: unit

   open(newunit=unit, file="before_the_stop.txt", status="replace", action="write")
   write(unit, "(a)") "written before the stop"
   call read_array("no_such_file.raw", x)
   print "(a)", "not reached"
end program stops_with_the_message_without_iostat
