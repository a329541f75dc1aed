program read_scalar
   implicit none
   integer :: i, n, stat
   real(8) :: x
   logical :: l
   character(10) :: word
   character(30) :: texts(9) = [character(30) :: "12 3.5 T word", "1,2,f,'a b'", "  7  ", "2*4 .t. x", &
      "x 1 2", "1e3 1d-2 false ""q""", "/ 5", "9 , , , z", "12345678901 1"]
   open (10, file="o.txt")
   do i = 1, 9
      n = -1
      x = -1
      l = .false.
      word = "none"
      read (texts(i), *, iostat=stat) n, x, l, word
      write (10, *) stat, n, x, l, word
      read (texts(i), *, iostat=stat) x
      write (10, *) stat, x
      read (texts(i), "(i2)", iostat=stat) n
      write (10, *) stat, n
      read (texts(i), "(f5.2,a4)", iostat=stat) x, word
      write (10, *) stat, x, word
   end do
end program read_scalar
