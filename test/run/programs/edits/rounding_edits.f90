program rounding_edits
   implicit none
   integer :: i
   real(8) :: x
   open (10, file="round.txt")
   open (11, file="up.txt", round="up")
   open (12, file="zero.txt", round="zero")
   do i = -40, 40
      x = i * 0.125d0
      write (10, "(ru,f6.1,rd,f6.1,rz,f6.1,rn,f6.1,rc,f6.1,rp,f6.1)") x, x, x, x, x, x
      write (10, "(ru,e10.2,rd,es10.2,rz,g10.2,f5.0)") x, x, x, x
      write (11, "(f6.1,f6.2,es9.1)") x, x / 3, x
      write (12, "(f6.1,f6.2,es9.1)") x, x / 3, x
      write (10, "(f6.1)", round="down") x
   end do
end program rounding_edits
