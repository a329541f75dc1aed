! A library that is loaded and unloaded again and again, with its unit open.
module unloaded
   use, intrinsic :: iso_c_binding, only : c_int
   implicit none
   public
contains
subroutine writes(k) bind(c)
   integer(c_int), value :: k
   integer :: i
   if (k == 0) open (20, file=NAME)
   do i = 1, 200
      write (20, "(a,i6,f12.4)") NAME, i, k * 1.5d0 + i
   end do
end subroutine writes
end module unloaded
