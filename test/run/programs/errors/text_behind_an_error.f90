! An error leaves a record unfinished, and by T text behind its position: the next statement goes on there.
program text_behind_an_error
   implicit none
   integer :: n(3) = [0, -1, 2], stat, i
   open (9, file="records.txt")
   write (9, "(a)") "first line that is long enough to see it"
   write (9, "(b12,a5,t5,l1,g0,e17.12,tr3)", iostat=stat) 5, "Text", .true., n, 2.0
   write (9, "(l7,/,es22.14)") .true., 2.0
   do i = 1, 40
      write (9, "(a,t3,i2,e17.12)", iostat=stat) "abcdefghijk", i, 2
      write (9, "(a)") "X"
      write (9, "(a)") "Y"
      write (9, "(a,tl2)", advance="no") "xyz"
      write (9, "(i0,/,i0)") 1, 2
      write (9, "(a,t2)", advance="no") "xyzabcdef"
      write (9, "(a)", advance="no") "A"
      write (9, "(a)") "B"
      write (9, "(a)") "C"
   end do
   print *, stat
end program text_behind_an_error
