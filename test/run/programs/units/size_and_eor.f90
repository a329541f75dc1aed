program size_and_eor
   implicit none
   integer :: n, stat, i
   character(5) :: part
   open (10, file="a.txt")
   write (10, "(a)") "abcdefghijkl", "xyz", "", "12345"
   rewind (10)
   do i = 1, 12
      part = "-"
      n = -1
      read (10, "(a)", advance="no", size=n, iostat=stat) part
      write (*, *) i, n, stat, part
   end do
   rewind (10)
   read (10, "(a)", advance="no", eor=20, size=n) part
   read (10, "(a)", advance="no", eor=20, size=n) part
   read (10, "(a)", advance="no", eor=20, size=n) part
20 write (*, *) "end of record", n, part
end program size_and_eor
