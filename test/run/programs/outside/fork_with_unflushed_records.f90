!run: c
program fork_with_unflushed_records
   use, intrinsic :: iso_c_binding
   implicit none
   interface
      integer(c_int) function c_fork() bind(c)
         import :: c_int
      end function c_fork
      integer(c_int) function c_wait(child) bind(c)
         import :: c_int
         integer(c_int), value :: child
      end function c_wait
   end interface
   integer :: i, child
   open (10, file="a.txt")
   do i = 1, 20
      write (10, "(a,i5)") "twice", i
   end do
   child = c_fork()
   if (child == 0) stop
   i = c_wait(child)
   write (10, *) "parent", i
end program fork_with_unflushed_records
