!run: c
program c_writes_to_the_descriptor
   use, intrinsic :: iso_c_binding
   implicit none
   interface
      subroutine c_write(descriptor, text) bind(c)
         import :: c_int, c_char
         integer(c_int), value :: descriptor
         character(kind=c_char), intent(in) :: text(*)
      end subroutine c_write
   end interface
   integer :: i
   open (10, file="a.txt")
   do i = 1, 20
      write (10, "(a,i5)") "fortran", i
      flush (10)
      call c_write(int(fnum(10), c_int), "from c" // new_line("a") // c_null_char)
      print *, "fortran", i
      flush (6)
      call c_write(1_c_int, "c" // new_line("a") // c_null_char)
   end do
end program c_writes_to_the_descriptor
