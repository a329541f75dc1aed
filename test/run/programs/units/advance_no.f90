program advance_no
   implicit none
   integer :: i, j
   open (10, file="a.txt")
   do i = 1, 40
      write (10, "(a,i4)", advance="no") "row", i
      do j = 1, mod(i, 6)
         write (10, "(f8.2)", advance="no") j * 1.5
      end do
      if (mod(i, 3) > 0) write (10, "(a)") " end"
      if (mod(i, 3) == 0) write (10, *)
      write (10, "(a,t20,a,t3,a)", advance="no") "begin", "far", "X"
      write (10, "(t2,a,tl1,a)") "Y", "Z"
      write (*, "(i4)", advance="no") i
   end do
   write (10, "(a)", advance="no") "no end of line"
end program advance_no
