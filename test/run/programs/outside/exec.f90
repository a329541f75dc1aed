!run: c
!run: killed
!run: exit 3
program exec_it
   use, intrinsic :: iso_c_binding
   implicit none
   interface
      subroutine c_exec(command) bind(c)
         import :: c_char
         character(kind=c_char), intent(in) :: command(*)
      end subroutine c_exec
   end interface
   integer :: i
   open (10, file="a.txt")
   do i = 1, 2000
      write (10, "(i8)") i
   end do
   flush (10)
   write (10, "(a)") "lost"
   call c_exec("wc -l < a.txt; exit 3" // c_null_char)
end program exec_it
