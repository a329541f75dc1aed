program derived_type_components
   implicit none
   type :: inner
      integer :: id = 3
      real(8) :: at(3) = [1d0, 2d0, 3d0]
      character(5) :: name = "inner"
   end type inner
   type :: outer
      type(inner) :: parts(4)
      logical :: on = .true.
      complex(8) :: z = (1d0, -2d0)
   end type outer
   type(outer) :: a(5)
   integer :: i, j
   do i = 1, 5
      do j = 1, 4
         a(i)%parts(j)%id = i * 10 + j
         a(i)%parts(j)%at = a(i)%parts(j)%at * i / j
      end do
   end do
   open (10, file="types.txt")
   do i = 1, 5
      write (10, *) a(i)
      write (10, "(4(i4,3f8.3,a6),l3,2f6.2)") a(i)
      write (10, "(5i5)") a%parts(2)%id
      write (10, "(5f8.3)") a%parts(i / 2 + 1)%at(2)
      write (10, *) a(i)%parts%name, a(:)%on
      write (10, *) a%z
      write (10, *) real(a%z), aimag(a(i)%z)
   end do
end program derived_type_components
