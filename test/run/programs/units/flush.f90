!run: c
program flush_often
   use, intrinsic :: iso_c_binding
   implicit none
   interface
      integer(c_long) function c_size(name) bind(c)
         import :: c_long, c_char
         character(kind=c_char), intent(in) :: name(*)
      end function c_size
   end interface
   integer :: i
   open (10, file="a.txt")
   do i = 1, 100
      write (10, "(i6)") i
      if (mod(i, 3) == 0) then
         flush (10)
         write (*, *) c_size("a.txt" // c_null_char)
      end if
   end do
   flush (77, iostat=i)
   write (*, *) i
end program flush_often
