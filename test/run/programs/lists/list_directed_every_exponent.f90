program list_directed_every_exponent
   implicit none
   integer :: i
   real(8) :: x
   open (10, file="list.txt")
   do i = -1074, 1023
      x = scale(1.37d0, max(i, -1022)) * scale(1d0, min(0, i + 1022))
      write (10, *) x
      write (10, *) -x, i
   end do
   do i = -149, 127
      write (10, *) scale(1.0, i)
      write (10, *) cmplx(scale(1.3, i), -i)
   end do
end program list_directed_every_exponent
