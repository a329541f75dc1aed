!run: flags -ffpe-trap=invalid,zero,overflow
!run: errors
!run: killed
!run: exit -8
program traps
   implicit none
   integer :: i
   real(8) :: x
   open (10, file="a.txt")
   do i = 1, 400
      write (10, "(f12.3,es14.6)") i * 0.5d0, huge(1d0) / i
      write (10, *) i * 1d-300, tiny(1d0)
   end do
   x = 400 - (i - 1)
   write (10, *) 1 / x
end program traps
