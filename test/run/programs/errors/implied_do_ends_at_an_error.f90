! An implied DO ends at an error: its variable and the calls of functions show it.
program implied_do_ends_at_an_error
   implicit none
   integer :: i, k, stat, calls
   character(10) :: text
   calls = 0
   open (10, file="a.txt", recl=20)
   do k = 1, 3
      write (text, *, iostat=stat) (k*1000 + i, i=1, 50)
      print *, "internal, list", stat, i
      write (text, "(50i5)", iostat=stat) (k*1000 + i, i=1, 50)
      print *, "internal, format", stat, i
      write (10, "(50i5)", iostat=stat) (k*1000 + i, i=1, 50)
      print *, "RECL=20, format", stat, i
      write (10, *, iostat=stat) (counted(i), i=1, 50)
      print *, "RECL=20, list", stat, i, calls
      write (10, "(50i5)", advance="no", iostat=stat) (counted(i), i=1, 50)
      print *, "RECL=20, no", stat, i, calls
      write (10, "(a)", iostat=stat) ""
   end do
contains
   integer function counted(number)
      integer, intent(in) :: number
      calls = calls + 1
      counted = number
   end function counted
end program implied_do_ends_at_an_error
