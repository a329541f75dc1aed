program nested_groups
   implicit none
   integer :: i, j
   integer :: m(4, 6)
   m = reshape([(i, i = 1, 24)], [4, 6])
   open (10, file="groups.txt")
   do i = 1, 12
      write (10, "(2(2(i2,1x,2(i3)),'|'))") m
      write (10, "(3(i2,2(a,2(f4.1))))") (j, "a", 1.5 * j, 2.5 * j, "b", 3.0, 4.0, j = 1, 3)
      write (10, "(1(1(1(i5))))") m(:, 1)
      write (10, "(2(/,2(i4)))") m(:, 1:2)
      write (10, "(4(i3),2('x',2('y')),i3)") m(:, 1), 9, 8
   end do
end program nested_groups
