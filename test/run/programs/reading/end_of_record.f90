! READ with ADVANCE='NO' to the end of each record and beyond: SIZE=, EOR=, IOMSG=, items behind the end, and what comes next.
!run: case 1
!run: case 2
!run: case 3
!run: case 4
!run: case 5
!run: case 6
!run: case 7
program end_of_record
   use, intrinsic :: iso_fortran_env, only: int64
   implicit none
   integer(int64) :: state
   integer :: choice, stat, n, i, k, column, length, position
   integer(int64) :: long_size
   character(8) :: argument
   character(12) :: part, second
   character(40) :: message
   character(:), allocatable :: line
   character :: letter, three(3)
   real :: x

   call get_command_argument(1, argument)
   read (argument, *) choice
   state = choice
   call get_command_argument(2, argument)
   if (argument /= "") read (argument, *) state
   call make_file()
   select case (choice)
   case (1); call whole_lines()
   case (2); call letters()
   case (3); call behind_the_end()
   case (4); call numbers()
   case (5); call random_statements("records.txt", "yes")
   case (6); call random_statements("records.txt", "no")
   case (7); call cut_off()
   end select

contains

   ! Lines of 0 to 70 characters, some long ones, some that end with a carriage return; the last one has no end.
   subroutine make_file()
      open (10, file="records.txt", access="stream", form="unformatted", status="replace")
      do i = 1, 400
         length = below(merge(8, 70, below(3) == 0))
         if (i == 200) length = 70000
         do k = 1, length
            write (10) achar(merge(32, merge(48 + below(10), 97 + below(26), below(3) > 0), below(5) == 0))
         end do
         if (i > 250 .and. below(9) == 0) write (10) achar(13)
         if (i < 400) write (10) achar(10)
      end do
      close (10)
   end subroutine make_file

   ! As many programs read lines of unknown length.
   subroutine whole_lines()
      open (10, file="records.txt", status="old", action="read")
      do
         line = ""
         message = "nothing was said"
         do
            n = -7
            read (10, "(a)", advance="no", size=n, iostat=stat, iomsg=message) part
            if (n >= 0) line = line // part(:n)
            if (stat /= 0) exit
         end do
         write (*, "(i0,1x,i0,1x,i0,1x,a,1x,a)") stat, n, len(line), line(:min(60, len(line))), trim(message)
         if (stat /= -2) exit
      end do
      close (10)
   end subroutine whole_lines

   subroutine letters()
      open (10, file="records.txt", status="old", action="read")
      column = 0
      do
         letter = "#"
         read (10, "(a1)", advance="no", eor=10, end=20) letter
         column = column + 1
         if (column < 5) write (*, "(a)", advance="no") letter
         cycle
10       write (*, "(2i6,a)") column, ichar(letter), "|"
         column = 0
      end do
20    write (*, "(i0)") column
      close (10)
   end subroutine letters

   subroutine behind_the_end()
      open (10, file="records.txt", status="old", action="read")
      do i = 1, 250
         part = "kept"; second = "kept too"; three = "?"; k = -1; long_size = -1
         select case (mod(i, 5))
         case (0); read (10, "(a5,a7,i3)", advance="no", iostat=stat, size=long_size) part, second, k
         case (1); read (10, "(3a1,a)", advance="no", iostat=stat, size=long_size) three, part
         case (2); read (10, "(2a4)", advance="no", iostat=stat, size=long_size) part, second
         case (3); read (10, "(a2,/,a3)", advance="no", iostat=stat, size=long_size) part, second
         case (4); read (10, "(2x,a3)", advance="no", iostat=stat, size=long_size) part
         end select
         write (*, "(i0,1x,i0,1x,5a,i0)") stat, long_size, part, second, three, k
         if (stat == -1) exit
         if (mod(i, 17) == 0) backspace (10)
         if (mod(i, 23) == 0) then
            read (10, "(a)", iostat=stat) part
            write (*, "(a,i0)") part, stat
         end if
      end do
      close (10)
   end subroutine behind_the_end

   subroutine numbers()
      open (10, file="numbers.txt", status="replace", action="readwrite")
      do i = 1, 300
         write (10, "(*(i0,1x))") (below(2000) - 1000, k=1, below(6))
      end do
      rewind (10)
      do i = 1, 2000
         k = -77; x = -77; n = -1
         if (mod(i, 3) == 0) then
            read (10, "(f4.1)", advance="no", iostat=stat, size=n) x
         else
            read (10, "(i3)", advance="no", iostat=stat, size=n) k
         end if
         write (*, "(i0,1x,i0,1x,i0,f12.3)") stat, n, k, x
         if (stat == -1) exit
      end do
      backspace (10)
      write (10, "(a)") "behind the end"
      rewind (10)
      k = 0
      do
         read (10, "(a)", iostat=stat) part
         if (stat /= 0) exit
         k = k + 1
      end do
      write (*, *) k, part
      close (10)
   end subroutine numbers

   ! ENDFILE behind the end of a record passes over the next one, too, and in the middle of one it does not.
   subroutine cut_off()
      integer :: parts, copies
      do copies = 1, 60
         open (10, file="cut.txt", status="replace", action="readwrite")
         write (10, "(a,i0)") ("a line of text, number ", i, i=1, 60)
         rewind (10)
         do i = 1, merge(min(copies, 20), 2, mod(copies, 2) == 0)
            if (mod(i, 5) == 0) read (10, "(a)", iostat=stat) part
            read (10, "(a60)", advance="no", size=n, iostat=stat) message
            if (mod(copies, 3) == 0) read (10, "(i3)", advance="no", iostat=stat) k
         end do
         do parts = 1, mod(copies, 4)
            read (10, "(a3)", advance="no", iostat=stat) part
         end do
         if (mod(copies, 5) == 0) read (10, "()", advance="no", iostat=stat)
         if (mod(copies, 7) == 0) read (10, "(a)", iostat=stat) part
         if (mod(copies, 11) == 0) flush (10)
         if (mod(copies, 13) == 0) inquire (10, pos=position)
         endfile (10, iostat=stat)
         inquire (10, size=k)
         close (10)
         open (10, file="cut.txt", status="old", action="read")
         do i = 1, 100
            read (10, "(a)", iostat=stat) message
            if (stat /= 0) exit
         end do
         write (*, "(i0,1x,i0,1x,i0,1x,a)") copies, i, k, trim(message)
         close (10)
      end do
   end subroutine cut_off

   subroutine random_statements(name, pad)
      character(*), intent(in) :: name, pad
      open (10, file=name, status="old", action="read", pad=pad)
      do i = 1, 3000
         part = "untouched"; second = "also"; n = -3; stat = -99; message = "-"; three = "x"
         select case (below(15))
         case (0:3); read (10, "(a)", advance="no", iostat=stat, size=n) part
         case (4:5); read (10, "(a2)", advance="no", iostat=stat, iomsg=message) part
         case (6); read (10, "(a3)", advance="no", iostat=stat) three
         case (7); read (10, "(a)", iostat=stat) part
         case (8); read (10, "(a,a)", advance="no", iostat=stat, size=n) part, second
         case (9); read (10, "(a20)", advance="no", iostat=stat, size=n) part
         case (10); read (10, "(a1,tr1,a1)", advance="no", iostat=stat, size=n) part, second
         case (11); if (below(6) == 0) backspace (10, iostat=stat)
         case (12); if (below(60) == 0) rewind (10)
         case (13)
            inquire (10, pos=position, size=k)
            write (*, "(i0)") k
         case (14); read (10, "(50x,/,a2,/)", advance="no", iostat=stat) part
         end select
         write (*, "(i0,1x,i0,*(a))") stat, n, "|", part, "|", second, "|", three, trim(message)
         if (stat == -1 .or. stat > 0) then
            if (below(3) == 0) rewind (10)
         end if
      end do
      close (10)
   end subroutine random_statements

   integer function below(n)
      integer, intent(in) :: n
      state = mod(state * 1103515245_int64 + 12345_int64, 2147483648_int64)
      below = int(mod(state / 65536_int64, int(n, int64)))
   end function below

end program end_of_record
