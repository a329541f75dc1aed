! WRITE in the middle of a file, behind the end of a record that READ met: T counts from what was read.
program write_behind_end_of_record
   implicit none
   character(20) :: text
   integer :: i, k, stat
   do k = 1, 40
      open (10, file="text.txt", status="replace")
      write (10, "(a,i0)") ("nineteen characters ", i, i=1, 30)
      close (10)
      open (10, file="text.txt", status="old")
      do i = 1, mod(k, 20) + 1
         if (mod(k, 3) == 0) read (10, "(a30)", advance="no", iostat=stat) text
         if (mod(k, 3) == 1) read (10, *, iostat=stat) text
         if (mod(k, 3) == 2) read (10, "(a9)", advance="no", iostat=stat) text
      end do
      if (k > 20) read (10, "(a30)", advance="no", iostat=stat) text
      if (mod(k, 2) == 0) write (10, "(t5,i5,t15,i5)", iostat=stat) 1, 2
      if (mod(k, 2) == 1) write (10, "(t12,a)", iostat=stat) "x"
      close (10)
      open (10, file="text.txt", status="old", action="read")
      do i = 1, 40
         read (10, "(a)", iostat=stat) text
         if (stat /= 0) exit
         write (*, "(2(i0,1x),a)") k, i, text
      end do
      close (10)
   end do
end program write_behind_end_of_record
