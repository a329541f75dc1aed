program decimal_comma
   implicit none
   integer :: i
   real(8) :: x, y
   open (10, file="dc.txt")
   open (11, file="comma.txt", decimal="comma")
   do i = 1, 30
      x = i * 1.25d0
      write (10, "(dc,f8.3,dp,f8.3,dc,e12.4,g12.4)") x, x, x, x
      write (11, "(f8.3,es12.4,dp,f8.3)") x, x, x
      write (11, *) x, i, cmplx(x, -x, 8)
      write (10, *, decimal="comma") x, x
   end do
   rewind (11)
   do i = 1, 10
      read (11, "(f8.3)") x
      read (11, *) y
      write (*, *) x, y
   end do
end program decimal_comma
