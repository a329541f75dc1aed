program odd_files
   implicit none
   integer :: i, n, stat
   character(20) :: text
   open (10, file="crlf.txt", access="stream", form="unformatted")
   write (10) "1 2" // achar(13) // achar(10) // "abc" // achar(13) // achar(10) // "7" // achar(13) // achar(10)
   close (10)
   open (10, file="noend.txt", access="stream", form="unformatted")
   write (10) "1" // achar(9) // "2" // achar(10) // "last line"
   close (10)
   open (10, file="empty.txt", access="stream", form="unformatted")
   close (10)
   do i = 1, 3
      if (i == 1) open (10, file="crlf.txt")
      if (i == 2) open (10, file="noend.txt")
      if (i == 3) open (10, file="empty.txt")
      do
         text = "-"
         read (10, "(a)", iostat=stat) text
         write (*, *) i, stat, len_trim(text), iachar(text(4:4)), text
         if (stat /= 0) exit
      end do
      rewind (10)
      read (10, *, iostat=stat) n, text
      write (*, *) stat, n, text
      close (10)
   end do
end program odd_files
