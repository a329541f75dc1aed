program extended_reals
   implicit none
   integer :: i
   real(10) :: x
   real(16) :: y
   open (10, file="extended.txt")
   do i = -40, 40
      x = 1.1_10 * 10.0_10**(i * 20)
      y = 1.1_16 * 10.0_16**(i * 20)
      write (10, *) x, y
      write (10, "(es30.20e4,es45.35e4)") x, y
      write (10, "(g0,1x,g0)") x, y
      write (10, "(f20.5,i5,e20.10e4)") x / 10.0_10**(i * 20), i, y
      write (10, *) i, real(x, 4), y, "end"
      write (10, *) cmplx(x, x, 10), cmplx(y, -y, 16)
   end do
end program extended_reals
