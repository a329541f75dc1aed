program two_units_on_a_link
   implicit none
   integer :: i, stat
   open (10, file="a.txt")
   write (10, "(a)") "first"
   call execute_command_line("ln a.txt b.txt")
   open (11, file="b.txt", position="append", iostat=stat)
   print *, stat /= 0
   do i = 1, 10
      write (10, "(a,i4)") "ten", i
   end do
end program two_units_on_a_link
