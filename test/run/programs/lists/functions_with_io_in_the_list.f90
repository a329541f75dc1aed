program functions_with_io_in_the_list
   implicit none
   integer :: i
   open (10, file="outer.txt")
   open (11, file="inner.txt")
   do i = 1, 30
      write (10, "(i4,i4,f8.2)") i, logged(i), 1.5 * logged(-i)
      write (10, *) logged(i), text(i), logged(i + 1)
      write (10, "(a,a)") text(i), text(i * 100)
   end do
   write (11, "(a)") "end"
contains
integer function logged(n)
   integer, intent(in) :: n
   write (11, "(a,i5)") "asked for", n
   logged = n * n
end function logged
function text(n)
   integer, intent(in) :: n
   character(6) :: text
   write (text, "(i6.4)") n
end function text
end program functions_with_io_in_the_list
