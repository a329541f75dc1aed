program unformatted_between
   implicit none
   integer :: i, n
   open (10, file="a.dat", form="unformatted", access="stream")
   open (11, file="a.txt")
   open (12, file="b.dat", form="unformatted")
   do i = 1, 200
      write (10) i
      write (11, "(i5)") i
      write (12) i, i * 0.5
   end do
   rewind (12)
   read (12) n
   write (11, *) n
end program unformatted_between
