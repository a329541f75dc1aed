!run: c
program c_prints_on_standard_output
   use, intrinsic :: iso_c_binding
   implicit none
   interface
      subroutine c_print(text) bind(c)
         import :: c_char
         character(kind=c_char), intent(in) :: text(*)
      end subroutine c_print
      subroutine c_flush() bind(c)
      end subroutine c_flush
   end interface
   integer :: i
   do i = 1, 60
      print *, "fortran", i
      call c_print("printf" // new_line("a") // c_null_char)
      if (mod(i, 3) == 0) write (6, "(a,f8.3)") "formatted", i * 0.5
      if (mod(i, 7) == 0) call c_flush()
      call c_print("again " // c_null_char)
      if (mod(i, 11) == 0) flush (6)
   end do
end program c_prints_on_standard_output
