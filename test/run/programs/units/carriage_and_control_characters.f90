program carriage_and_control_characters
   implicit none
   integer :: i
   open (10, file="a.txt")
   do i = 0, 255
      write (10, "(a,i4,a)") achar(i), i, "x" // achar(i) // "y"
      write (10, *) achar(i), i
   end do
   do i = 1, 10
      write (10, "(a)") "one" // new_line("a") // "two"
   end do
   backspace (10)
   write (10, "(a)") "last"
end program carriage_and_control_characters
