! I/O lists that longjmp leaves, of an internal and of an external unit.
module lists
   implicit none
   public
contains
integer function throws(n)
   integer, intent(in) :: n
   throws = n
   if (mod(n, 3) == 0) call throw()
end function throws
subroutine inside(n)
   integer, intent(in) :: n
   character(200) :: text
   write (text, "(i5,i5,f8.3)") n, throws(n), 1.5d0 * n
   write (10, "(a)") trim(text)
end subroutine inside
subroutine outside(n)
   integer, intent(in) :: n
   write (11, "(i5,i5)") n, throws(n)
end subroutine outside
end module lists

program thrown
   use lists
   implicit none
   integer :: n, was_thrown
   integer, external :: catches
   open (10, file="a.txt")
   open (11, file="b.txt")
   open (12, file="c.txt")
   write (11, "(a)") "first"
   do n = 1, 2000
      was_thrown = catches(inside, mod(n, 50))
      write (12, "(i6,i3,f9.3)") n, was_thrown, n * 0.25d0
   end do
   was_thrown = catches(outside, 5)
   was_thrown = catches(outside, 6)
   do n = 1, 500
      write (10, "(a,i6)") "after", n
   end do
end program thrown
