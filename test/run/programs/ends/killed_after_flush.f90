!run: c
!run: killed
!run: exit -9
program killed_after_flush
   use, intrinsic :: iso_c_binding
   implicit none
   interface
      integer(c_int) function c_raise(number) bind(c)
         import :: c_int
         integer(c_int), value :: number
      end function c_raise
   end interface
   integer :: i
   open (10, file="a.txt")
   do i = 1, 3000
      write (10, "(i6)") i
      if (mod(i, 10) == 0) flush (10)
   end do
   i = c_raise(9_c_int)
end program killed_after_flush
