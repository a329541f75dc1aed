!run: c
program truncated_by_c
   use, intrinsic :: iso_c_binding
   implicit none
   interface
      integer(c_int) function c_truncate(name, size) bind(c)
         import :: c_int, c_long, c_char
         character(kind=c_char), intent(in) :: name(*)
         integer(c_long), value :: size
      end function c_truncate
   end interface
   integer :: i, k
   open (10, file="a.txt")
   do i = 1, 40
      write (10, "(i5)") i
      if (mod(i, 10) == 0) flush (10)
      if (i == 20) k = c_truncate("a.txt" // c_null_char, 30_c_long)
   end do
end program truncated_by_c
