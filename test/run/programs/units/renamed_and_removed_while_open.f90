program renamed_and_removed_while_open
   implicit none
   integer :: i
   open (10, file="a.txt")
   open (11, file="b.txt")
   do i = 1, 500
      write (10, "(i6)") i
      write (11, *) i
      if (i == 200) call rename("a.txt", "c.txt")
      if (i == 300) call unlink("b.txt")
   end do
   rewind (11)
   read (11, *) i
   print *, i
end program renamed_and_removed_while_open
