program complex_numbers
   implicit none
   integer :: i
   complex(4) :: c
   complex(8) :: z(3)
   open (10, file="complex.txt")
   do i = -30, 30
      c = cmplx(i * 0.5, 2.0**i)
      z = cmplx(i, -i, 8) * [1d0, 1d-10, 1d10]
      write (10, "(2f10.3)") c
      write (10, "('(',es12.4,',',es12.4,')')") z
      write (10, "(6g14.5)") z
      write (10, *) c, z
      write (10, "(3f8.2)") c, real(i)
      write (10, "(*(g0,1x))") z, c
   end do
end program complex_numbers
