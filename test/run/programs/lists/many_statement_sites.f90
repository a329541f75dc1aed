program many_statement_sites
   implicit none
   integer :: i
   real(8) :: x
   open (10, file="sites.txt")
   do i = 1, 40
      x = i * 1.01d0
      write (10, "(i5)") i
      write (10, "(f8.3)") x
      write (10, "(i5)") -i
      write (10, "(e12.4)") x
      write (10, "(i5,f8.3)") i, x
      write (10, "(a)") "line"
      if (mod(i, 3) == 0) write (10, *) x
      if (mod(i, 4) == 0) write (10, "(i5)") i, i
      if (mod(i, 5) == 0) write (10, "(f8.3)") x, -x
      write (10, "(l2)") i > 20
   end do
end program many_statement_sites
