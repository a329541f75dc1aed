program complex_and_logical
   implicit none
   complex(8) :: z(3)
   logical :: l(4)
   integer :: stat, i
   open (10, file="a.txt")
   write (10, "(a)") "(1,2) (3.5,-4e2) 2*(0,0)", "( 1 , 2 ),(3,4),,", "t f .true. .FALSE.", "tomato fig T/", "(1 2)", "maybe"
   rewind (10)
   do i = 1, 3
      z = -1
      if (i < 3) read (10, *, iostat=stat) z
      if (i < 3) write (*, *) stat, z
   end do
   do i = 1, 4
      l = .false.
      read (10, *, iostat=stat) l
      write (*, *) stat, l
   end do
end program complex_and_logical
