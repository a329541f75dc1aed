!run: exit 2
!run: errors
! Reading one by one, with jumps, until the end and behind it, while the file grows and when it changes.
program read_in_many_ways
   implicit none
   integer :: i, status, n, value, position
   real(8) :: x, sum, few(3), long(500)
   character(5) :: word
   character(60) :: message
   open (10, file="a.bin", access="stream", status="replace")
   write (10) (i, i / 7d0, i=1, 20000)
   close (10)
   open (10, file="a.bin", access="stream", status="old")
   sum = 0
   n = 0
   do
      read (10, iostat=status, iomsg=message) i, x
      if (status /= 0) exit
      n = n + 1
      sum = sum + i * x
   end do
   write (*, *) n, sum, status, trim(message)
   inquire (10, pos=position)
   write (*, *) position
   rewind (10)
   do i = 1, 300
      read (10) value, x
      if (mod(i, 50) == 0) then
         read (10, pos=12 * 40 * i + 1) value, x
         inquire (10, pos=position)
         write (*, *) i, value, x, position
         read (10, pos=12 * i + 1)
      end if
      if (mod(i, 70) == 0) then
         read (10) few, long
         write (*, *) i, few, long(500)
         inquire (10, pos=position)
         write (*, *) position
         call fseek(10, 12 * i, 0)
         read (10, pos=12 * i + 1)
      end if
      if (mod(i, 60) == 0) then
         read (10) word, value
         write (*, *) i, iachar(word(1:1)), iachar(word(5:5)), value
         backspace (10, iostat=status)
         read (10, pos=12 * i + 1)
      end if
   end do
   write (*, *) value, x
   read (10, pos=12 * 19990 + 1)
   do i = 1, 9
      read (10) value, x
   end do
   read (10) value
   read (10, iostat=status) value, x
   write (*, *) status, value, x
   read (10, iostat=status) value
   write (*, *) status
   read (10, pos=12 * 19999 + 1) value
   read (10, end=1) x, word
   write (*, *) "not the end"
1  write (*, *) value, x
   read (10, pos=5)
   read (10) x
   write (10) 4711, x
   read (10, pos=13) value
   write (*, *) value, x
   close (10)
   open (10, file="a.bin", access="stream", status="old")
   do i = 1, 30
      read (10) value
   end do
   open (11, file="b.bin", access="stream", status="replace")
   write (11) [(i, i=1, 100)]
   close (11)
   call execute_command_line("cp b.bin c.bin")
   close (10, status="delete")
   open (10, file="c.bin", access="stream", status="old", action="read")
   sum = 0
   do i = 1, 100
      read (10) value
      sum = sum + value
   end do
   write (*, *) sum
   read (10) value
end program read_in_many_ways
