! RECL= with statements that fail in the middle of a record, again and again, and go on: what the run time had in its buffer
! shows behind what they wrote.
program longer_than_recl_now_and_then
   implicit none
   integer :: i, k, stat
   real(8) :: x(2)
   x = [1.37d0, 3.75d0]
   open (10, file="a.txt", recl=30)
   write (10, "(a)") repeat("i", 30)  ! nothing in that buffer is undefined
   do i = 1, 200
      do k = 1, 2
         write (10, "(2x,l2)", advance="no") .true.
         write (10, "(i3,10x)", iostat=stat) i
         write (10, "(f0.2,',')", iostat=stat) x(k)
      end do
      write (10, "(t3,i4)") -3*i
      write (10, "(1p,e11.3)") x(2)*i
      write (10, *, iostat=stat) i, 1d300*x(2)
      if (mod(i, 30) == 0) write (10, "()")
   end do
   close (10)
end program longer_than_recl_now_and_then
