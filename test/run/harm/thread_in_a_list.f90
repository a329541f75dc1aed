! A function in an I/O list starts the first thread, which writes to the same unit.
module another_thread
   implicit none
   public
contains
   subroutine other_records() bind(c)
      integer :: i
      do i = 1, 5
         write (10, "(a,i6)") "two", i
      end do
   end subroutine other_records
end module another_thread

program thread_in_a_list
   use, intrinsic :: iso_c_binding, only: c_int
   implicit none
   interface
      integer(c_int) function start() bind(c)
         import :: c_int
      end function start
      subroutine join() bind(c)
      end subroutine join
   end interface
   integer :: i
   open (10, file="records.txt", status="replace")
   do i = 1, 300
      write (10, "(i6,1x,i6)") i, value_of(i)
   end do
   call join
   close (10)
contains
   integer function value_of(i)
      integer, intent(in) :: i
      value_of = i
      if (i == 250) value_of = start()
   end function value_of
end program thread_in_a_list
