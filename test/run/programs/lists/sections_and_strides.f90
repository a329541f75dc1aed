program sections_and_strides
   implicit none
   real(8) :: x(40), m(6, 7)
   integer :: k(12), i, n
   x = [(i * 0.3d0, i = 1, 40)]
   m = reshape([(i * 1d0, i = 1, 42)], [6, 7])
   k = [(i, i = 1, 12)]
   n = 0
   open (10, file="sections.txt")
   do i = 1, 12
      write (10, "(8f9.3)") x(1:40:3)
      write (10, "(8f9.3)") x(40:1:-2)
      write (10, "(6f9.3)") m(::2, ::3)
      write (10, "(6f9.3)") m(6:1:-1, 7:1:-2)
      write (10, "(7f9.3)") m(i / 2, :)
      write (10, *) x(n:n - 1), m(:, 3)
      write (10, "(3i5)") k(::-1), k(2:n)
      write (10, *) k(5:1:-2)
      write (10, "(4f8.2)") x([3, 1, 4, 1])
      write (10, "('empty',f5.1)") x(5:4)
   end do
end program sections_and_strides
