program implied_do
   implicit none
   real(8) :: x(50), m(5, 4)
   integer :: i, j, k, l
   x = [(i * 0.7d0, i = 1, 50)]
   m = reshape(x, [5, 4])
   open (10, file="implied.txt")
   do k = 1, 12
      write (10, "(i4,5f9.3)") k, (x(i), i = 1, 5)
      write (10, "(5f9.3)") ((m(i, j), i = 1, 5), j = 1, 4)
      write (10, "(4f9.3)") ((m(i, j), j = 1, 4), i = 1, 5)
      write (10, "(20(i3,f6.2))") (i, x(i), i = 20, 1, -2)
      write (10, *) (x(i), x(i + 1), i = 1, 0)
      write (10, *) (i, (m(i, j), j = 4, 1, -1), i = 1, 5, 2)
      write (10, "(6i4)") (((i * j * l, i = 1, 2), j = 1, 3), l = k, k)
      write (10, "(a,3(1x,f6.2))") "x", (x(i), i = k, k + 2)
   end do
end program implied_do
