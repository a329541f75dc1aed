!run: c
program fork_it
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
      subroutine c_exit_now(code) bind(c)
         import :: c_int
         integer(c_int), value :: code
      end subroutine c_exit_now
   end interface
   integer :: i, child
   open (10, file="a.txt")
   do i = 1, 5
      write (10, "(a,i5)") "before", i
      flush (10)
      child = c_fork()
      if (child == 0) then
         open (11, file="child.txt", position="append")
         write (11, "(a,i5)") "child", i
         close (11)
         call c_exit_now(i)
      end if
      write (*, *) c_wait(child)
      write (10, "(a,i5)") "after", i
   end do
end program fork_it
