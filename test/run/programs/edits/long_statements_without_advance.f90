! Statements of 400,000 characters whose record goes on, with and without a line feed at the end.
program long_statements_without_advance
   implicit none
   integer :: k
   do k = 1, 20
      open (10, file="a.txt", position="append")
      write (10, "(a,/,a,/)", advance="no") repeat("x", 200000), repeat("y", 200000)
      write (10, "(a)", advance="no") repeat("z", 300000)//achar(10)
      write (10, "(a,2x,/)", advance="no") repeat("z", 300000)
      write (10, "(i5)") k
      close (10)
   end do
end program long_statements_without_advance
