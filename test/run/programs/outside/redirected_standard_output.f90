!run: c
program redirected_standard_output
   use, intrinsic :: iso_c_binding
   implicit none
   interface
      subroutine c_redirect(name) bind(c)
         import :: c_char
         character(kind=c_char), intent(in) :: name(*)
      end subroutine c_redirect
   end interface
   integer :: i
   do i = 1, 20
      print *, "first", i
   end do
   flush (6)
   call c_redirect("moved.txt" // c_null_char)
   do i = 1, 20
      print *, "second", i
   end do
end program redirected_standard_output
