!run: set GFORTRAN_LIST_SEPARATOR ,
program list_separator
   implicit none
   integer :: i
   open (10, file="a.txt")
   do i = 1, 50
      write (10, *) i, i * 0.5, "text", i > 3
      print *, i, i
   end do
end program list_separator
