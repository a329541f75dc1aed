program e_of_every_exponent
   implicit none
   integer :: i
   real(8) :: x
   open (10, file="e.txt")
   do i = -1074, 1023
      x = scale(1d0, i)
      write (10, "(e23.15)") x
      write (10, "(e15.5e3)") -x
      write (10, "(e0.7)") x * 3
      write (10, "(es22.14)") x * 1.7d0
      write (10, "(en20.8)") x
      write (10, "(d24.16)") x
      write (10, "(e12.4e4,e9.1,e8.1)") x, x, x
   end do
end program e_of_every_exponent
