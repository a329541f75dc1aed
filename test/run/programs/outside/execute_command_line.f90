program execute_it
   implicit none
   integer :: i, code
   open (10, file="a.txt")
   do i = 1, 5
      write (10, "(a,i5)") "record", i
      print *, "before", i
      flush (6)
      call execute_command_line("wc -c < a.txt; exit 3", exitstat=code)
      print *, code
   end do
end program execute_it
