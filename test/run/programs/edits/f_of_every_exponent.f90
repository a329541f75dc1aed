program f_of_every_exponent
   implicit none
   integer :: i
   open (10, file="f.txt")
   do i = -330, 308
      write (10, "(f0.3)") 1.2345678901234567d0 * 10d0**max(i, -300) * 10d0**(min(i, -300) + 300)
      write (10, "(f30.12)") -3.7d0 * 10d0**(i / 10)
      write (10, "(f8.2)") 10d0**(i / 40)
      write (10, "(f5.0)") 0.5d0 * i
   end do
end program f_of_every_exponent
