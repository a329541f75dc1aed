program blanks_in_numbers
   implicit none
   integer :: i, a, b, c
   character(12), parameter :: lines(4) = ["1 2 3 4 5 6 ", "   7    8   ", "  1  -2   3 ", "            "]
   open (10, file="b.txt")
   do i = 1, 4
      write (10, "(a)") lines(i)
   end do
   rewind (10)
   do i = 1, 4
      read (10, "(bn,i4,bz,i4,i4)") a, b, c
      write (*, *) a, b, c
   end do
   close (10)
   open (10, file="b.txt", blank="zero")
   do i = 1, 4
      read (10, "(3i4)") a, b, c
      write (*, "(bn,3i8)") a, b, c
   end do
   rewind (10)
   read (10, "(3i4)", blank="null") a, b, c
   write (*, *) a, b, c
end program blanks_in_numbers
