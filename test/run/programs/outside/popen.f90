!run: c
program popen_it
   use, intrinsic :: iso_c_binding
   implicit none
   interface
      subroutine c_popen(command, text) bind(c)
         import :: c_char
         character(kind=c_char), intent(in) :: command(*), text(*)
      end subroutine c_popen
   end interface
   integer :: i
   open (10, file="a.txt")
   do i = 1, 5
      write (10, "(i5)") i
      flush (10)
      call c_popen("cat - a.txt" // c_null_char, "to the pipe" // new_line("a") // c_null_char)
   end do
end program popen_it
