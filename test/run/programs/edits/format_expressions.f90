program format_expressions
   implicit none
   character(*), parameter :: head = "(a,1x,"
   character(:), allocatable :: form
   integer :: i
   open (10, file="expressions.txt")
   do i = 1, 30
      write (10, head//"i4)") "row", i
      write (10, "("//repeat("i4,", mod(i, 5))//"a)") spread(i, 1, mod(i, 5)), "end"
      form = "(" // trim(adjustl(number(i))) // "f6.1)"
      write (10, form) spread(1.5, 1, i)
      write (10, made(i)) i
   end do
contains
function number(n) result(text)
   integer, intent(in) :: n
   character(12) :: text
   write (text, "(i12)") n
end function number
function made(n) result(text)
   integer, intent(in) :: n
   character(10) :: text
   text = merge("(i8)      ", "('m',i3.3)", mod(n, 3) == 0)
end function made
end program format_expressions
