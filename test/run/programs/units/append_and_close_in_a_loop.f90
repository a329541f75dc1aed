program append_and_close_in_a_loop
   implicit none
   integer :: i
   do i = 1, 100
      open (10, file="log.txt", position="append", action="write")
      write (10, "(a,i5)") "step", i
      write (10, *) i * 0.5
      close (10)
   end do
end program append_and_close_in_a_loop
