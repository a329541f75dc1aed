program list_directed_values
   implicit none
   integer :: a, b, c, stat, i
   real(8) :: x
   character(8) :: word
   logical :: l
   complex :: z
   open (10, file="a.txt")
   write (10, "(a)") "1 2 3", "1,2,3", "1,,3", ",,", "3*7", "2*,5", "1 2/", "/", "1;2;3", "1", "2", "3", &
      "1.5 'a b' T (1,2)", """it""""s""", "'open", "closed'", "2*1.5 word .false.", "1" // achar(9) // "2,3", "", "  ", &
      "nan inf 1", "1e400 2 3", "x y z", "12abc", "(1, 2) 5", "+1 -2 +3", "99999999999 1 1"
   rewind (10)
   do i = 1, 12
      a = -1
      b = -1
      c = -1
      read (10, *, iostat=stat) a, b, c
      write (*, *) i, stat, a, b, c
   end do
   do i = 1, 12
      x = -1
      word = "none"
      l = .false.
      z = 0
      read (10, *, iostat=stat) x, word, l, z
      write (*, *) i, stat, x, word, l, z
   end do
end program list_directed_values
