program scale_factors
   implicit none
   integer :: i
   real(8) :: x
   open (10, file="p.txt")
   do i = -12, 12
      x = 1.2345678901d0 * 10d0**i
      write (10, "(1pe14.6,0pf12.4,-1pe14.6,2pf14.3,3pe14.6,1pg14.5,1pd14.6)") x, x, x, x, x, x, x
      write (10, "(2p,3e14.5)") x, -x, x
      write (10, "(1p,e12.4,i5,f12.4,0p,f12.4)") x, i, x, x
      write (10, "(1pes12.4,1pen14.4)") x, x
      write (10, "(-2pf14.6,-3pe12.4)") x, x
   end do
end program scale_factors
