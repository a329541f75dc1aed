program record_length
   implicit none
   integer :: i, k, stat
   open (10, file="a.txt", recl=60)
   do i = 1, 20
      write (10, *, iostat=stat) (k, k = 1, 20)
      write (10, "(10i4)", iostat=stat) (k, k = 1, 10)
      write (10, "(50i4)", iostat=stat) (k, k = 1, 50)
      write (*, *) stat
      write (10, *, iostat=stat) repeat("word ", 12)
      exit
   end do
   rewind (10)
   read (10, *, iostat=stat) i
   write (*, *) i
end program record_length
