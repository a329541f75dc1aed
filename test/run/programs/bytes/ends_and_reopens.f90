! A unit that is opened once more, as another file or in another form, and one that nobody closes.
program ends_and_reopens
   implicit none
   integer :: i, status
   open (10, file="a.bin", access="stream", status="replace")
   write (10) (i, i=1, 10)
   write (10) 11
   open (10, file="b.bin", access="stream", status="replace")
   write (10) 12
   open (10, file="c.bin", form="unformatted", status="replace")
   write (10) 13
   write (10) 14, 15d0
   open (10, file="no/such/folder", access="stream", iostat=status)
   write (*, *) status /= 0
   write (10) 16
   write (10) 17
   close (10)
   open (10, file="d.bin", access="stream", status="replace")
   write (10) 18
   open (10, file="no/such/folder", access="stream", iostat=status)
   write (10, iostat=status) 19
   write (10, iostat=status) 20, 21
   close (10)
   open (10, file="e.txt", access="stream", form="formatted", status="replace")
   write (10, "(i5)") 22
   write (10, iostat=status) 23
   write (*, *) status /= 0
   close (10)
   open (10, file="f.bin", access="stream", status="replace")
   write (10) 24
   open (11, file="f.bin", access="stream", status="old", iostat=status)
   if (status == 0) then
      write (10) 25
      write (11) 26
      write (10) 27
      close (11)
   end if
   close (10)
   open (10, file="d.bin", access="stream", position="append", status="old")
   write (10) 28, 29d0
   open (10, file="d.bin", access="stream", action="readwrite")
   write (10) 30
   open (20, file="g.bin", access="stream", action="write")
   write (20) (i, i=1, 5)
   do i = 1, 3000
      write (20) i, i * 2d0
   end do
end program ends_and_reopens
