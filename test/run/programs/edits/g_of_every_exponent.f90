program g_of_every_exponent
   implicit none
   integer :: i
   real(8) :: x
   open (10, file="g.txt")
   do i = -320, 308
      x = 9.99999499999d0 * 10d0**i
      write (10, "(g16.6,g12.3e4,g0,1x,g0.5)") x, x, x, x
      write (10, "(1pg16.6)") -x
   end do
   write (10, "(g10.3)") 0d0, 0.1d0, 0.09996d0, 999.6d0, 99949d0, 1d-300
   write (10, "(g12.4)") 1, -7, huge(1)
   write (10, "(g5.1,g9.2)") "text", .true.
end program g_of_every_exponent
