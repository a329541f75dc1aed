!run: c
program growing_file
   use, intrinsic :: iso_c_binding
   implicit none
   interface
      subroutine c_append(name, text) bind(c)
         import :: c_char
         character(kind=c_char), intent(in) :: name(*), text(*)
      end subroutine c_append
   end interface
   integer :: i, n, stat
   call c_append("a.txt" // c_null_char, "1" // new_line("a") // c_null_char)
   open (10, file="a.txt", action="read")
   do i = 2, 12
      read (10, *, iostat=stat) n
      write (*, *) stat, n
      if (stat /= 0) backspace (10)
      if (mod(i, 3) > 0) call c_append("a.txt" // c_null_char, achar(48 + mod(i, 10)) // new_line("a") // c_null_char)
   end do
end program growing_file
