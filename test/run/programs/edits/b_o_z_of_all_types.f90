program b_o_z_of_all_types
   implicit none
   integer :: i
   open (10, file="boz.txt")
   do i = -40, 40
      write (10, "(b0,1x,o0,1x,z0)") i, i, i
      write (10, "(b32.32,b8.4,o11.5,o4,z8.8,z3)") i, i, i, i, i, i
      write (10, "(z16)") real(i, 8)
      write (10, "(z16.16)") int(i, 8) * 123456789_8
      write (10, "(b70)") int(i, 1)
      write (10, "(z4,o7)") int(i, 2), int(i, 2)
      write (10, "(z32)") int(i, 16)
      write (10, "(z8,o12)") real(i), real(i)
      write (10, "(z2)") i > 0
   end do
   write (10, "(z8)") "ab"
end program b_o_z_of_all_types
