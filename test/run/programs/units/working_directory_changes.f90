program working_directory_changes
   implicit none
   integer :: i
   call execute_command_line("mkdir sub")
   open (10, file="a.txt")
   do i = 1, 300
      write (10, "(i6)") i
      if (i == 100) call chdir("sub")
      if (i == 150) open (11, file="b.txt")
      if (i > 150) write (11, *) i
   end do
end program working_directory_changes
