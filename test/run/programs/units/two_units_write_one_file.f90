! Which bytes stay depends on when the run time writes its buffers. Another version of it may refuse the second OPEN.
program two_units_write_one_file
   implicit none
   integer :: i, stat
   logical :: is_open
   open (10, file="a.txt")
   open (11, file="a.txt", iostat=stat)
   print *, stat /= 0
   if (stat /= 0) stop
   do i = 1, 500
      write (10, "(a,i6)") "ten", i
   end do
   inquire (10, opened=is_open)
   do i = 1, 900
      write (11, "(a,i6)") "eleven", i
   end do
   flush (11)
   write (10, "(a,l2)") "last", is_open
end program two_units_write_one_file
