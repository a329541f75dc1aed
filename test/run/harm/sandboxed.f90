! The program forbids itself system calls that `headrace run` would make.
program sandboxed
   implicit none
   integer :: i
   character(40) :: text
   open (10, file="a.txt")
   do i = 1, 100
      write (10, "(i8,f10.3)") i, i * 0.5
   end do
   call forbid()
   do i = 1, 3000
      write (10, "(i8,f10.3)") i, i * 0.5
      write (text, "(i8)") i
   end do
   flush (10)
   open (11, file="b.txt")
   write (11, *) "x"
end program sandboxed
