program expressions_and_temporaries
   implicit none
   integer :: i
   real(8) :: x(20), y(20)
   character(10) :: a, b
   x = [(i * 0.5d0, i = 1, 20)]
   y = 3
   open (10, file="expressions.txt")
   do i = 1, 30
      write (a, "(i5)") i
      b = "b"
      write (10, "(5f9.3)") x * y + i
      write (10, "(a,a,a)") trim(a) // trim(b), adjustl(a), repeat(b, 3)
      write (10, *) matmul(reshape(x(1:4), [2, 2]), reshape(x(5:8), [2, 2])), sum(x), maxval(y)
      write (10, "(4f8.3)") pack(x, x > i), spread(1d0, 1, 3)
      write (10, *) merge("yes", "no ", x > 5), (a == b)
      write (10, "(f8.3,i4,a)") sqrt(real(i)), i * 2 + 1, trim(a)
      x = cshift(x, 1)
   end do
end program expressions_and_temporaries
