program write_scalar
   implicit none
   integer :: i
   character(12) :: a
   character(40) :: b
   open (10, file="o.txt")
   do i = -50, 50
      write (a, "(i0)") i
      write (b, "(f8.3)") i * 0.37
      write (10, "(a,a)") a, b
      write (a, *) i
      write (b, *) i, i * 0.5d0
      write (10, "(a,a)") a, b
      write (a(3:6), "(i4.4)") abs(i)
      write (b, "(a,i4,a)") "<", i, ">"
      write (10, *) a, b
   end do
end program write_scalar
