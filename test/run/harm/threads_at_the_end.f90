! The program ends while two threads write without end.
module threads
   implicit none
   public
contains
subroutine work(n) bind(c, name="work_")
   integer, intent(in) :: n
   integer :: i
   do i = 1, 100000000
      write (10 + n, "(i8,f12.3)") i, i * 0.5d0
   end do
end subroutine work
end module threads

program threads_at_the_end
   implicit none
   open (11, file="a.txt")
   open (12, file="b.txt")
   call start(1)
   call start(2)
   call rest(20000)
   print "(a)", "bye"
end program threads_at_the_end
