program twenty_interleaved
   implicit none
   integer :: i, unit(20)
   character(12) :: name
   do i = 1, 20
      write (name, "('f',i2.2,'.txt')") i
      open (newunit=unit(i), file=name)
   end do
   do i = 1, 2000
      write (unit(mod(i * 7, 20) + 1), "(i6,es14.5)") i, i * 1.1d0
      write (unit(mod(i, 20) + 1), *) i
   end do
   do i = 1, 20, 3
      close (unit(i))
   end do
end program twenty_interleaved
