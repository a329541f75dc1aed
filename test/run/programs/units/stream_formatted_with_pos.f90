program stream_formatted_with_pos
   implicit none
   integer :: i, n, place(20)
   character(4) :: word
   open (10, file="s.txt", access="stream", form="formatted")
   do i = 1, 20
      inquire (10, pos=place(i))
      write (10, "(a,i4)") "item", i
      write (10, "(a)", advance="no") "tail"
      write (10, "(a)") new_line("a") // "x"
   end do
   do i = 20, 1, -3
      read (10, "(a,i4)", pos=place(i)) word, n
      write (*, *) word, n
   end do
   write (10, "(a)", pos=place(10)) "over"
   write (10, *) "cut?", 5
end program stream_formatted_with_pos
