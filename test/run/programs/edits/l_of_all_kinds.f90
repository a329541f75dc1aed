program l_of_all_kinds
   implicit none
   integer :: i
   logical(1) :: a
   logical(2) :: b
   logical(4) :: c
   logical(8) :: d
   open (10, file="l.txt")
   do i = 1, 40
      a = mod(i, 2) == 0
      b = mod(i, 3) == 0
      c = mod(i, 5) == 0
      d = mod(i, 7) == 0
      write (10, "(l1,l2,l5,l)") a, b, c, d
      write (10, "(4g0)") a, b, c, d
      write (10, "(4g3.1)") a, b, c, d
      write (10, *) a, b, c, d
   end do
end program l_of_all_kinds
