!run: input 1 2.5 word\n'quoted text' T\n7\n\nlast
program standard_input
   implicit none
   integer :: n, stat
   real :: x
   character(20) :: word
   logical :: l
   read (*, *) n, x, word
   write (*, *) n, x, word
   read (*, *) word, l
   write (*, *) word, l
   read *, n
   print *, n
   do
      read (*, "(a)", iostat=stat) word
      print *, stat, word
      if (stat /= 0) exit
   end do
end program standard_input
