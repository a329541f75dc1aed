!run: flags -ffast-math
program flush_to_zero
   implicit none
   real(8) :: x
   integer :: i
   open (10, file="a.txt")
   do i = 1, 40
      x = transfer(ishft(1_8, i), x)
      write (10, "(es24.16e3)") x
      write (10, *) x
      write (10, "(f10.3,e12.4)") i * 0.1d0, x
   end do
end program flush_to_zero
