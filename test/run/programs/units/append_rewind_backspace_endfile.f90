program append_rewind_backspace_endfile
   implicit none
   integer :: i, n, stat
   open (10, file="a.txt")
   do i = 1, 60
      write (10, "(i5)") i
      if (mod(i, 7) == 0) backspace (10)
      if (mod(i, 20) == 0) endfile (10)
      if (mod(i, 20) == 0) backspace (10)
   end do
   rewind (10)
   n = 0
   do
      read (10, "(i5)", iostat=stat) i
      if (stat /= 0) exit
      n = n + i
   end do
   write (*, *) n, stat
   backspace (10)
   write (10, *) "after the end"
   close (10)
   open (10, file="a.txt", position="append")
   write (10, "(a)") "appended"
   rewind (10)
   write (10, "(a)") "cut"
end program append_rewind_backspace_endfile
