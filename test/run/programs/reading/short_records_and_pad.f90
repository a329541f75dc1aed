program short_records_and_pad
   implicit none
   integer :: i, a(4), stat
   character(10) :: text
   open (10, file="a.txt")
   write (10, "(a)") "  1  2  3  4", "  1  2", "", "  1  2  3  4  5"
   do i = 1, 2
      close (10)
      open (10, file="a.txt", pad=merge("yes", "no ", i == 1))
      do
         a = -1
         text = "-"
         read (10, "(4i3,a)", iostat=stat) a, text
         if (stat == -1) exit
         write (*, *) stat, a, text
      end do
   end do
end program short_records_and_pad
