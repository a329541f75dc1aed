program direct_formatted
   implicit none
   integer :: i, n, stat
   real :: x
   open (10, file="d.txt", access="direct", form="formatted", recl=24)
   do i = 30, 1, -1
      write (10, "(i5,f8.3)", rec=i) i, i * 0.1
   end do
   do i = 1, 30, 4
      read (10, "(i5,f8.3)", rec=i) n, x
      write (*, *) n, x
   end do
   write (10, "(30x,a)", rec=3, iostat=stat) "too long"
   write (*, *) stat
   read (10, "(i5)", rec=99, iostat=stat) n
   write (*, *) stat
end program direct_formatted
