program t_tl_tr_x
   implicit none
   integer :: i
   open (10, file="t.txt")
   do i = 1, 40
      write (10, "(t10,i4,t1,i4,t20,'end')") i, -i
      write (10, "(i8,tl4,i2,tr3,i2,x,i2,3x)") i, i, i, i
      write (10, "(t5,'a',t3,'b',t30)")
      write (10, "('abcdefgh',tl3,'XY')")
      write (10, "(a,5x,tl5,a)") "left", "right"
      write (10, "(t60,a,t2,a,/,t3,a)") "far", "near", "next"
      write (10, "(3(t5,i3,x))") i, i + 1, i + 2
      write (10, "(i3,10x)") i
      write (10, "(tl100,i3)") i
   end do
end program t_tl_tr_x
