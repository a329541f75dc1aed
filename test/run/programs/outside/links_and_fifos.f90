program links_and_fifos
   implicit none
   integer :: i
   call execute_command_line("ln -s real.txt link.txt; mkfifo pipe; cat pipe > copy.txt &")
   open (10, file="link.txt")
   open (11, file="pipe", action="write")
   open (12, file="/dev/null")
   do i = 1, 100
      write (10, "(i5)") i
      write (11, "(i5)") i
      write (12, *) i
   end do
   close (11)
   call execute_command_line("sleep 0.05; wc -l copy.txt")
end program links_and_fifos
