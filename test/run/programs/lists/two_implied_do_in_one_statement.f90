!run: flags -std=legacy
program two_implied_do_in_one_statement
   implicit none
   real(8) :: x(60), y(60, 3)
   integer :: i, j, name
   x = [(i * 0.7d0, i = 1, 60)]
   y = reshape([(i * 0.11d0, i = 1, 180)], [60, 3])
   name = 1633837924
   open (10, file="two.txt")
   do j = 1, 20
      write (10, "(3f8.2,' and ',4f8.3)") (x(i), i = 1, 3), (y(i, 2), i = 4, 7)
      write (10, *) (x(i), i = j, j + 3), (y(i, 1), i = 1, 3), j
      write (10, "(6f8.2,a4)") (x(i), i = 1, 3), (y(1, i), i = 1, 3), name
      write (10, "(60f5.1,a4,3f5.1)") (x(i), i = 1, 60), name, (y(j, i), i = 1, 3)
      write (10, "(3f8.2,3f8.3,i0)") x(1:3), y(j, :), j
      write (10, "(3f8.2,3f8.3,z8)") x(3:1:-1), y(j, 3:1:-1), x(1) > 0
   end do
end program two_implied_do_in_one_statement
