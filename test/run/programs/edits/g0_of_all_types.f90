program g0_of_all_types
   implicit none
   integer :: i
   real(8) :: x
   open (10, file="g0.txt")
   do i = -30, 30
      x = 1.1d0**(i * 20)
      write (10, "(*(g0,:,','))") i, x, real(x), i > 0, "text", cmplx(i, -i), int(i, 8), int(i, 1)
      write (10, "(g0)") x
      write (10, "(g0.3,1x,g0.10)") x, x
      write (10, "(5(g0,','))") x, -x, x * 3, real(i), 0.1d0
   end do
end program g0_of_all_types
