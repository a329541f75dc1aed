program slash_and_colon
   implicit none
   integer :: i
   open (10, file="slash.txt")
   do i = 1, 20
      write (10, "(i3/i3)") i, -i
      write (10, "(//i3,2/,i3///)") i, -i
      write (10, "(i3,:,','i3,:,'never')") i, -i
      write (10, "(3(i3,:,';'))") i, i + 1
      write (10, "(/)")
      write (10, "()")
      write (10, "('only text')")
      write (10, "(2('x',/),'y')")
      write (10, "(i3,' end')") i, i, i
      write (10, "(i3,:,' end')") i, i
   end do
end program slash_and_colon
