program err_labels
   implicit none
   integer :: i, n
   character(10) :: form
   open (10, file="a.txt")
   do i = 1, 20
      write (10, "(i5)", err=10) i
      form = merge("(a8)  ", "(f8.2)", mod(i, 2) == 0)
      write (10, form, err=10) "text"
      write (*, *) "fine", i
      cycle
10    write (*, *) "error", i
      write (10, *) "recovered", i
   end do
   rewind (10)
   do i = 1, 100
      read (10, "(i5)", err=20, end=30) n
      write (*, *) n
20    continue
   end do
30 write (*, *) "end", i
end program err_labels
