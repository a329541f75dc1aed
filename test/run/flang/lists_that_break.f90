! A list whose values decide, statement by statement, whether its line breaks.
program lists_that_break
   implicit none
   integer :: i, unit
   open (newunit=unit, file="lists.txt", status="replace")
   do i = 1, 400
      write (unit, *) i, 1d22 * i, 1e-3 * i, 123456.7 * i, 0.1d0 * i, 1 / 3d0, 2e5 * i, 0.0999999 * i
   end do
end program lists_that_break
