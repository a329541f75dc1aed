! Two units have one file under two names: what one reads depends on what the other has written, and when.
program links_to_one_file
   implicit none
   integer :: i, n, round, stat
   character(20) :: line

   call execute_command_line("ln -sf a.txt b.txt")
   do round = 1, 60
      open (10, file="a.txt", status="replace")
      do i = 1, 300
         write (10, "(i0)") i * round
      end do
      flush (10)
      rewind (10)
      open (12, file="b.txt", status="old")
      do i = 1, 5
         read (12, *) n
      end do
      write (*, *) n
      do i = 1, 3
         read (10, "(a)") line
      end do
      backspace (10)
      write (10, "(a)") "cut off here"
      endfile (10)
      close (10)
      do i = 1, 400
         read (12, "(a)", iostat=stat) line
         if (stat /= 0) exit
      end do
      write (*, *) i, stat, trim(line)
      rewind (12)
      do i = 1, 400
         read (12, "(a)", iostat=stat) line
         if (stat /= 0) exit
      end do
      write (*, *) i, stat, trim(line)
      close (12)
   end do
end program links_to_one_file
