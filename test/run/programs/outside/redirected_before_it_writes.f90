! Standard output becomes a file before the first WRITE: the run time looked before whether to have a buffer for it.
!run: c
program redirected_before_it_writes
   use, intrinsic :: iso_c_binding, only: c_char, c_null_char
   implicit none
   interface
      subroutine c_redirect(name) bind(c)
         import :: c_char
         character(kind=c_char), intent(in) :: name(*)
      end subroutine c_redirect
   end interface
   integer :: i

   call c_redirect("first.txt"//c_null_char)
   do i = 1, 100
      write (*, "(i9)") i
   end do
   call c_redirect("second.txt"//c_null_char)
   do i = 1, 100
      write (*, "(i9)") -i
   end do
end program redirected_before_it_writes
