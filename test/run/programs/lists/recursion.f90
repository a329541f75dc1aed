program recursion
   implicit none
   open (10, file="recursion.txt")
   open (20, file="a.txt")
   open (21, file="b.txt")
   open (22, file="c.txt")
   write (10, *) deep(12)
   write (10, "(i5)") deep(5)
   call tree(5)
contains
recursive integer function deep(n) result(r)
   integer, intent(in) :: n
   character(20) :: text
   r = n
   if (n == 0) return
   write (text, "(i8)") deep(n - 1)
   read (text, *) r
   r = r + n
   write (20, *) n, r
end function deep
recursive subroutine tree(n)
   integer, intent(in) :: n
   if (n == 0) return
   write (20 + mod(n, 3), "(a,i3)") repeat(" ", n), n
   call tree(n - 1)
   call tree(n - 1)
end subroutine tree
end program recursion
