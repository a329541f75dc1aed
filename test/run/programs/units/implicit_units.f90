program implicit_units
   implicit none
   integer :: i
   do i = 1, 50
      write (7, "(i5)") i
      write (99, *) i, i * 0.5
      write (3, "(a)") "three"
   end do
   rewind (7)
   read (7, *) i
   print *, i
end program implicit_units
