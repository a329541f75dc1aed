! A format that is left to the run time: an error in the middle of its record leaves text behind the position.
program error_at_a_site_that_is_left
   implicit none
   integer :: i, round
   open (10, file="records.txt", status="replace")
   do i = 1, 20
      write (10, "(a,i6)") "row", i
   end do
   do round = 1, 30
      do i = 1, 4
         call one(merge(1, 0, i == 4))
      end do
      do i = 1, 3
         write (10, "(a,i2)") "r", i
      end do
   end do
   close (10)
contains
   subroutine one(reals)
      integer, intent(in) :: reals
      integer :: stat, k
      write (10, "(a,t2,i2,i3,:,dc,i3)", iostat=stat) "abcdefghijklmnop", 7, (8, k=1, 1 - reals), (1.5, k=1, reals)
   end subroutine one
end program error_at_a_site_that_is_left
