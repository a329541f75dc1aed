program end_and_recovery
   implicit none
   integer :: i, n, stat
   character(80) :: message
   open (10, file="a.txt")
   write (10, "(a)") "1", "x", "3", "4 y", "5"
   rewind (10)
   do i = 1, 8
      n = -1
      message = "none"
      read (10, *, iostat=stat, iomsg=message) n
      write (*, *) i, stat, n, trim(message)
   end do
   backspace (10)
   backspace (10)
   read (10, *, iostat=stat) n
   write (*, *) stat, n
   write (10, "(a)") "6"
   rewind (10)
   read (10, *, err=10, end=10) n, n
10 write (*, *) "error", n
   read (10, *, err=20, end=20) n
20 write (*, *) "next", n
end program end_and_recovery
