program signs
   implicit none
   integer :: i
   open (10, file="signs.txt")
   open (11, file="plus.txt", sign="plus")
   open (12, file="suppress.txt", sign="suppress")
   do i = -5, 5
      write (10, "(sp,i5,f8.2,e12.3,s,i5,ss,f8.2)") i, i * 1.5, i * 1.5, i, i * 1.5
      write (10, "(i5,sp,i5)") i, i
      write (11, "(i5,f8.2,ss,i5,s,i5)") i, i * 0.5, i, i
      write (11, *) i, i * 0.5
      write (12, "(sp,i5,s,i5)") i, i
      write (10, "(i5)", sign="plus") i
      write (10, *, sign="plus") i, real(i)
   end do
end program signs
