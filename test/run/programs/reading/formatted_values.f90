program formatted_values
   implicit none
   integer :: i, n, stat
   real(8) :: x
   logical :: l
   character(6) :: word
   open (10, file="a.txt")
   write (10, "(a)") "  12  1.5 T abcdef", "12345678.tabcdef", "  -1 1e-3 Fab", "  1", "", "   x  1.5 T", "1 2   3 4 .f.", &
      "  12  15d2 T abcdef", "9999 1+5  F", " 1,2.5,T,abc"
   do n = 1, 2
      rewind (10)
      do i = 1, 11
         word = "none"
         x = -1
         if (n == 1) read (10, "(i4,f6.2,l2,a)", iostat=stat) stat, x, l, word
         if (n == 2) read (10, "(2x,a3,t1,f4.1,tr1,e5.0)", iostat=stat) word, x, x
         write (*, *) i, stat, x, word
      end do
   end do
end program formatted_values
