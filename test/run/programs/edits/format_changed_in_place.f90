program format_changed_in_place
   implicit none
   character(20) :: form
   character(8) :: pieces(3)
   integer :: i
   open (10, file="changed.txt")
   do i = 1, 60
      write (form, "('(f',i0,'.',i0,')')") 10 + mod(i, 9), mod(i, 7)
      write (10, form) i * 1.2345d0
      form = merge("(i6)  ", "(i9.7)", mod(i, 2) == 0)
      write (10, form) i
      form(3:3) = "8"
      write (10, form) i
   end do
   pieces = ["(i5,    ", "'x',    ", "i5)     "]
   do i = 1, 10
      pieces(2)(2:2) = achar(96 + i)
      write (10, pieces) i, -i
   end do
end program format_changed_in_place
