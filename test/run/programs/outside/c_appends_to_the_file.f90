!run: c
program c_appends_to_the_file
   use, intrinsic :: iso_c_binding
   implicit none
   interface
      subroutine c_append(name, text) bind(c)
         import :: c_char
         character(kind=c_char), intent(in) :: name(*), text(*)
      end subroutine c_append
      subroutine c_show(name) bind(c)
         import :: c_char
         character(kind=c_char), intent(in) :: name(*)
      end subroutine c_show
   end interface
   integer :: i
   do i = 1, 10
      open (10, file="a.txt", position="append")
      write (10, "(a,i4)") "fortran", i
      close (10)
      call c_append("a.txt" // c_null_char, "c" // new_line("a") // c_null_char)
   end do
   call c_show("a.txt" // c_null_char)
end program c_appends_to_the_file
