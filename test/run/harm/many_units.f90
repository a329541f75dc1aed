! Twenty units in turn: what waits for each is kept apart.
program many_units
   implicit none
   integer :: i, k, units(20)
   do k = 1, 20
      open (newunit=units(k), file="f" // achar(64 + k) // ".txt")
   end do
   do i = 1, 1000
      do k = 1, 20
         write (units(k), "(i8,f12.4)") i, k * 1d0
      end do
      print *, i
   end do
end program many_units
