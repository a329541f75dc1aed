! A statement that wrote to a file without RECL= writes to one that has it, with records that are too long, or just fit.
program record_length_of_known_statements
   implicit none
   integer, parameter :: longest(4) = [0, 20, 24, 23]
   integer :: i, k, n, stat
   do i = 1, 4
      if (longest(i) == 0) open (10 + i, file="f" // achar(48 + i))
      if (longest(i) > 0) open (10 + i, file="f" // achar(48 + i), recl=longest(i))
   end do
   do i = 1, 4
      n = 0
      do k = 1, 200
         write (10 + i, "(3i8)", iostat=stat) i, k, i * k
         if (stat == 0) n = n + 1
      end do
      print *, i, n
      n = 0
      do k = 1, 200
         write (10 + i, "(3(i0,1x))", iostat=stat) i, k**3, i * k
         if (stat == 0) n = n + 1
      end do
      print *, i, n
   end do
end program record_length_of_known_statements
