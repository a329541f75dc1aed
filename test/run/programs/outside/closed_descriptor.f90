!run: c
program closed_descriptor
   use, intrinsic :: iso_c_binding
   implicit none
   interface
      integer(c_int) function c_close(descriptor) bind(c)
         import :: c_int
         integer(c_int), value :: descriptor
      end function c_close
   end interface
   integer :: i, stat
   open (10, file="a.txt")
   write (10, "(a)") "one"
   flush (10)
   i = c_close(int(fnum(10), c_int))
   write (10, "(a)", iostat=stat) "two"
   print *, stat
   flush (10, iostat=stat)
   print *, stat /= 0
end program closed_descriptor
