! A carriage return alone ends a record if X passes over it, behind the last item and before a slash, and does not otherwise.
program carriage_returns_behind_items
   implicit none
   character(6) :: c, d
   integer :: i, k, round, stat
   real :: x
   open (9, file="d.txt", access="stream", form="unformatted")
   do i = 1, 60
      write (9) "abcdefghijklmno"//achar(13)//"SECOND"//achar(10)//"THIRD."//achar(13)//achar(10)//"FOURTH"//achar(10)
   end do
   close (9)
   open (9, file="n.txt", access="stream", form="unformatted")
   do i = 1, 60
      write (9) "   12    3.5"//achar(13)//"   13    4.5   "//achar(10)//"   14    5.5"//achar(10)//achar(13)//achar(10)
   end do
   close (9)
   open (10, file="d.txt")
   do round = 1, 6
      rewind (10)
      do i = 1, 70
         c = "#"
         d = "#"
         select case (round)
         case (1)
            read (10, "(A6,17X,A50)", iostat=stat) c
         case (2)
            read (10, "(A6,17X,/,A6)", iostat=stat) c, d
         case (3)
            read (10, "(A6,17X)", iostat=stat) c, d
         case (4)
            read (10, "(20X)", iostat=stat)
         case (5)
            read (10, "(A6,9X,1X)", iostat=stat) c
         case default
            read (10, "(A15)", iostat=stat) c
         end select
         print *, round, i, stat, c, d
      end do
   end do
   close (10)
   open (10, file="n.txt")
   do round = 1, 5
      rewind (10)
      do i = 1, 100
         k = -1
         x = -1
         select case (round)
         case (1)
            read (10, "(I5,20X)", iostat=stat) k
         case (2)
            read (10, "(I5,F7.1,3X)", iostat=stat) k, x
         case (3)
            read (10, "(I5,F7.1)", iostat=stat) k, x
         case (4)
            read (10, "(I5,F7.1,/)", iostat=stat) k, x
         case default
            read (10, *, iostat=stat) k, x
         end select
         print *, round, i, stat, k, x
      end do
   end do
   close (10)
end program carriage_returns_behind_items
