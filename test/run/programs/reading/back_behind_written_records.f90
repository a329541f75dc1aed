! What the run time has written itself, and in which way it stands there, BACKSPACE behind a part of a record must not forget.
program back_behind_written_records
   implicit none
   integer :: round, i, n, stat, lines
   character(20) :: line

   do round = 1, 40
      open (10, file="a.txt", status="replace")
      do i = 1, 900
         ! T to the left: each statement is the run time's.
         write (10, "(a,tl1,i6)") "x", i * round
      end do
      rewind (10)
      read (10, "(i3)", advance="no", iostat=stat) n
      backspace (10)
      lines = 0
      do
         read (10, "(a)", iostat=stat) line
         if (stat /= 0) exit
         lines = lines + 1
      end do
      write (*, *) round, n, lines, stat
      close (10)
      open (10, file="a.txt", status="old")
      do i = 1, 30 * merge(1, 20, mod(round, 2) == 0)
         write (10, "(i6)") i
      end do
      rewind (10)
      read (10, "(i3)", advance="no", iostat=stat) n
      backspace (10)
      write (10, "(a)") "in its place"
      close (10)
      open (10, file="a.txt", status="old")
      lines = 0
      do
         read (10, "(a)", iostat=stat) line
         if (stat /= 0) exit
         lines = lines + 1
      end do
      write (*, *) lines, stat, line
      close (10)
   end do
end program back_behind_written_records
