!run: errors
!run: case type
!run: case middle
!run: case format
!run: case read
!run: case end
!run: exit 2
program stops_at_an_error
   implicit none
   integer :: i, n
   character(10) :: how, form
   call get_command_argument(1, how)
   open (10, file="a.txt")
   open (11, file="b.txt")
   do i = 1, 300
      write (10, "(i5,f8.2)") i, i * 0.5
      write (11, *) i
      print *, i
   end do
   form = "(f8.2)"
   if (how == "type") write (10, form) i
   form = "(i5,a,i5)"
   if (how == "middle") write (10, form) i, i * 1.5, i
   form = "(i5,"
   if (how == "format") write (10, form) i
   rewind (11)
   if (how == "end") read (11, *) (n, i = 1, 301)
   open (12, file="c.txt")
   write (12, "(a)") "x"
   rewind (12)
   read (12, *) n
end program stops_at_an_error
