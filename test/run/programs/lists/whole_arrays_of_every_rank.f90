program whole_arrays_of_every_rank
   implicit none
   real(8) :: a1(37), a2(3, 5), a3(2, 3, 4), a4(2, 2, 2, 2), a5(1, 2, 3, 1, 2), a6(2, 1, 2, 1, 2, 1), a7(1, 2, 1, 2, 1, 2, 1)
   integer :: i
   a1 = [(i / 7d0, i = 1, 37)]
   a2 = reshape(a1, shape(a2))
   a3 = reshape(a1, shape(a3))
   a4 = reshape(a1, shape(a4))
   a5 = reshape(a1, shape(a5))
   a6 = reshape(a1, shape(a6))
   a7 = reshape(a1, shape(a7))
   open (10, file="ranks.txt")
   do i = 1, 10
      write (10, "(10e15.5)") a1
      write (10, "(3f9.4)") a2
      write (10, "(5es14.6)") a3
      write (10, *) a4
      write (10, "(*(g0,' '))") a5
      write (10, "(8f7.3)") a6
      write (10, *) a7
      a1 = -a1 * 1.3
   end do
end program whole_arrays_of_every_rank
