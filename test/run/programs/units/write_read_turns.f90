program write_read_turns
   implicit none
   integer :: i, n, stat
   open (10, file="a.txt")
   do i = 1, 30
      write (10, "(i5)") i
      write (10, *) i * 2
      backspace (10)
      read (10, *) n
      print *, n
      if (mod(i, 5) == 0) then
         rewind (10)
         read (10, "(i5)") n
         read (10, *, iostat=stat) n
         print *, n, stat
         write (10, "(a,i3)") "cut here", i
      end if
   end do
end program write_read_turns
