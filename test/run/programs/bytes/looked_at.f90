! Whoever looks at the file or at the position finds everything.
program looked_at
   implicit none
   integer :: i, size, position, value, status, next
   real(8) :: x
   character(40) :: text
   open (10, file="a.bin", access="stream", status="replace")
   do i = 1, 300
      x = i / 3d0
      write (10) x, i
      select case (mod(i, 12))
      case (1)
         inquire (10, pos=position)
         write (*, *) i, "pos", position
      case (2)
         inquire (10, size=size)
         write (*, *) i, "size", size
      case (3)
         flush (10)
         inquire (file="a.bin", size=size)
         write (*, *) i, "size by name", size
      case (4)
         write (10, pos=1) -i
         inquire (10, pos=position)
         write (10, pos=12 * i + 1)
         write (*, *) i, "pos", position
      case (5)
         read (10, pos=1) value
         inquire (10, pos=position)
         write (*, *) i, "read", value, position
         write (10, pos=12 * i + 1)
      case (6)
         call flush (10)
         call execute_command_line("cksum a.bin > sum.txt")
         open (11, file="sum.txt")
         read (11, "(a)") text
         close (11)
         write (*, *) i, trim(text)
      case (7)
         call fseek(10, 4, 0)
         write (*, *) i, ftell(10)
         call fseek(10, 12 * i, 0)
         inquire (10, pos=position)
         write (*, *) position
      case (8)
         write (10, iostat=status) i
         read (10, pos=12 * (i - 1) + 9, iostat=status) value, next
         write (*, *) i, status, value, next
         write (10, pos=12 * i + 1)
      case (9)
         rewind (10)
         read (10) value
         write (*, *) i, value
         write (10, pos=12 * i + 1)
      case (10)
         write (10, "(a)", iostat=status) "text"
         write (*, *) i, status /= 0
      end select
   end do
   endfile (10)
   close (10)
   inquire (file="a.bin", size=size)
   write (*, *) size
end program looked_at
