! A record that goes on behind a character that is a line feed.
program line_feeds_of_values_that_go_on
   implicit none
   integer :: i, k, stat
   character :: last
   character(12) :: position
   character(30) :: line
   do k = 1, 4
      open (10, file="a"//achar(48 + k)//".txt")
      do i = 1, 30
         last = merge(achar(10), "x", i == 30)
         if (i == 20) write (10, "(a)") "ended"
         write (10, "(i3,a)", advance="no") i, last
      end do
      select case (k)
      case (1)
         inquire (10, position=position)
         print *, position
      case (2)
         backspace (10)
         write (10, "(a)") "after"
      case (3)
         write (10, "(t5,a)") "after"
      case default
         rewind (10)
         do
            read (10, "(a)", iostat=stat) line
            print *, stat, line
            if (stat /= 0) exit
         end do
      end select
      close (10)
   end do
end program line_feeds_of_values_that_go_on
