! T over blanks that X or T has put off: gfortran counts some of them twice, and fewer since gfortran 15.
program tabs_over_blanks
   implicit none
   integer :: i, blanks, place, stat
   character(40) :: form, text(2)
   open (10, file="tabs.txt")
   do i = 1, 3
      do blanks = 1, 6
         do place = 1, 9
            write (form, "(a,i0,a,i0,a)") "(", blanks, "x,t", place, ",i2,'|')"
            write (10, form, iostat=stat) i
            write (form, "(a,i0,a,i0,a)") "(t", blanks, ",t", place, ",i2,'|')"
            write (10, form, iostat=stat) i
            write (form, "(a,i0,a,i0,a)") "(i2,", blanks, "x,t", place, ",'|',1x,t12,i2)"
            write (10, form, iostat=stat) i, i
            write (form, "(a,i0,a,i0,a)") "(i2,/,tr", blanks, ",t", place, ",1x,l1)"
            write (10, form, iostat=stat) i, .true.
            text = "before"
            write (text, form, iostat=stat) i, .false.
            write (10, "(2a,i0)") text, stat
         end do
      end do
      write (10, "(3x,t3,i2)") i
      write (10, "(3x,t2,i2)") i
      write (10, "(2x,t1,a)") "text"
   end do
   close (10)
end program tabs_over_blanks
