program status_and_scratch
   implicit none
   integer :: i, n, stat
   do i = 1, 5
      open (10, file="a.txt", status="replace")
      write (10, "(i5)") i
      close (10)
   end do
   open (10, file="a.txt", status="new", iostat=stat)
   write (*, *) stat
   open (10, file="missing.txt", status="old", iostat=stat)
   write (*, *) stat
   open (11, status="scratch")
   do i = 1, 1000
      write (11, *) i
   end do
   rewind (11)
   do i = 1, 1000
      read (11, *) n
      if (n /= i) write (*, *) "wrong", i, n
   end do
   open (12, file="gone.txt")
   write (12, "(a)") "deleted"
   close (12, status="delete")
   write (*, *) "end"
end program status_and_scratch
