program deferred_values_change_afterwards
   implicit none
   integer :: i
   real(8) :: x(6)
   character(6) :: name
   open (10, file="late.txt")
   x = 1
   name = "first"
   do i = 1, 2000
      write (10, "(6es14.6)") x
      x = x * 1.001d0
      write (10, "(a,i6,f9.3)") name, i, x(1)
      write (name, "('n',i5)") i
   end do
   x = -1
end program deferred_values_change_afterwards
