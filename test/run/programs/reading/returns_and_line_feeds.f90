! Files of other systems, whose lines end with a carriage return and a line feed: fields that end before, in and behind the two
! bytes, X over them, and single carriage returns that come later.
program returns_and_line_feeds
   implicit none
   integer :: i, k, which, state, status, unit, number, other_number, counted(8)
   real(8) :: value, sum_of_values
   character(12) :: first, second
   character(200) :: long
   character(20), parameter :: formats(8) = [character(20) :: "(a6,17x,a12)", "(a)", "(a4,a1)", "(i4,1x,a3)", &
                                             "(6x,i3,f8.2)", "(a3,/,a9)", "(3x,a,1x)", "(2(i2,2x),a)"]

   state = 7
   do k = 1, 3
      open (newunit=unit, file="lines.txt", access="stream", form="unformatted", action="write", status="replace")
      do i = 1, 4000
         call write_line(unit, next(9), i)
         ! The last file has some in its lines, from the second part that is read on.
         if (k == 3 .and. i > 400 .and. next(50) == 0) write (unit) "a"//char(13)//"b"
         if (k == 3 .and. i > 900 .and. next(70) == 0) write (unit) char(13)
         if (k == 2 .and. next(3) == 0) then
            write (unit) new_line("a")
         else
            write (unit) char(13)//new_line("a")
         end if
      end do
      close (unit)

      open (newunit=unit, file="lines.txt", action="read", status="old")
      counted = 0
      sum_of_values = 0
      do i = 1, 100000
         number = -1
         other_number = -1
         value = -1
         first = "?"
         second = "?"
         ! Bad numbers are the run time's: they are rare, so that most lines are read ahead.
         which = next(5)
         if (next(60) == 0) which = next(14)
         select case (which)
         case (0:2)
            read (unit, "(a6,17x,a12)", iostat=status) first, second
            counted(1) = counted(1) + len_trim(first)*3 + len_trim(second)
         case (3)
            read (unit, "(a)", iostat=status) long
            counted(2) = counted(2) + len_trim(long) + index(long, char(13))
         case (4)
            if (next(2) == 0) then
               read (unit, "(a3,/,a9)", iostat=status) first, second
            else
               read (unit, "(a4,a1)", iostat=status) first, second
            end if
            counted(1) = counted(1) + len_trim(first)*3 + len_trim(second)
         case (5)
            read (unit, "(a4,a1)", iostat=status) first, second
            counted(3) = counted(3) + len_trim(first)*3 + len_trim(second)
         case (6)
            read (unit, "(i4,1x,a3)", iostat=status) number, first
            if (status == 0) counted(4) = counted(4) + number + len_trim(first)
         case (7)
            read (unit, "(6x,i3,f8.2)", iostat=status) number, value
            if (status == 0) sum_of_values = sum_of_values + number + value
         case (8)
            read (unit, "(a3,/,a9)", iostat=status) first, second
            counted(5) = counted(5) + len_trim(first)*3 + len_trim(second)
         case (9)
            read (unit, "(3x,a,1x)", iostat=status) first
            counted(6) = counted(6) + len_trim(first)
         case (10)
            read (unit, "(2(i2,2x),a)", iostat=status) number, other_number, first
            if (status == 0) counted(7) = counted(7) + number + 2*other_number + len_trim(first)
         case (11)
            which = 1 + next(8)
            read (unit, formats(which), iostat=status) first
            counted(8) = counted(8) + len_trim(first)
         case (12)
            read (unit, "(a4)", advance="no", iostat=status) first
            if (status == 0) read (unit, "(2x,a)", iostat=status) second
            counted(8) = counted(8) + len_trim(second)
            if (status == -2) status = 0
         case default
            if (next(6) == 0) backspace (unit, iostat=status)
            read (unit, *, iostat=status) number
            counted(8) = counted(8) + number
         end select
         if (next(40) == 0) write (*, *) i, status, number, other_number, value, first, second
         if (status < 0) exit
      end do
      print *, i, status, counted, sum_of_values
      close (unit, status="delete")
   end do
   do k = 1, 3
      call tables(k)
   end do
   call backspaces()

contains

   ! A record that ends with a carriage return alone; BACKSPACE behind the next one goes to the line feed before both.
   subroutine backspaces()
      integer :: unit, i, k, status
      character(5) :: text

      open (newunit=unit, file="back.txt", access="stream", form="unformatted", action="write", status="replace")
      do i = 1, 6000
         write (unit) "line "
         if (mod(i, 30) == 0) write (unit) char(13)//"cd"
         write (unit) char(13)//new_line("a")
      end do
      close (unit)
      open (newunit=unit, file="back.txt", action="read", status="old")
      do i = 1, 60
         do k = 1, 29
            read (unit, "(a2)") text
         end do
         read (unit, "(a8)", iostat=status) text
         read (unit, "(a2)") text
         backspace (unit)
         read (unit, "(a2)") text
         if (mod(i, 2) == 0) print *, i, status, text
      end do
      close (unit, status="delete")
   end subroutine backspaces

   ! Rows that are all alike: many in a statement, one, and a part of one.
   subroutine tables(k)
      integer, intent(in) :: k
      integer :: unit, i, status, rows
      real(8) :: many(5, 40), row(5), sums(4)
      character(46) :: text

      open (newunit=unit, file="table.txt", access="stream", form="unformatted", action="write", status="replace")
      do i = 1, 3000
         row = [i*0.125d0, -i*0.5d0, i + 0.001d0, 7d0, 0d0]
         write (text, "(5f9.3)") row
         if (k == 3 .and. i > 2000 .and. next(90) == 0) text(10:10) = char(13)
         write (unit) text(1:45)
         if (k == 1 .or. (k > 1 .and. next(30) > 0)) write (unit) char(13)
         write (unit) new_line("a")
      end do
      close (unit)
      open (newunit=unit, file="table.txt", action="read", status="old")
      sums = 0
      rows = 0
      do
         many = -1
         row = -1
         select case (next(4))
         case (0)
            read (unit, "(5f9.3)", iostat=status) many
            sums(1) = sums(1) + sum(many)
         case (1)
            read (unit, "(5f9.3)", iostat=status) row
            sums(2) = sums(2) + sum(row)
         case (2)
            do i = 1, 30
               read (unit, "(f9.3)", iostat=status) row(1)
               sums(3) = sums(3) + row(1)
               if (status /= 0) exit
            end do
         case default
            read (unit, "(5f9.3)", iostat=status) row, row(1:2)
            sums(4) = sums(4) + sum(row)
         end select
         if (status < 0) exit
         rows = rows + 1
         if (status > 0) print *, "bad", rows
      end do
      print *, rows, status, sums
      close (unit, status="delete")
   end subroutine tables

   integer function next(below)
      integer, intent(in) :: below
      state = modulo(state*1103 + 12347, 1048573)
      next = modulo(state, below)
   end function next

   ! Lines that are shorter and longer than the fields.
   subroutine write_line(unit, kind, i)
      integer, intent(in) :: unit, kind, i
      character(60) :: text

      select case (kind)
      case (0)
      case (1)
         write (unit) repeat("x", next(8))
      case (2)
         write (text, "(i4)") modulo(i, 1000)
         write (unit) text(1:4)
      case (3)
         write (text, "(i4,1x,a)") i, "ab"
         write (unit) text(1:4 + next(5))
      case (4)
         write (text, "(i2,2x,i2,2x,a)") modulo(i, 100), next(100), "tail of it"
         write (unit) text(1:6 + next(12))
      case (5)
         write (text, "(a6,i3,f8.2)") "row", next(1000), i*0.37
         write (unit) text(1:9 + next(9))
      case default
         write (text, "(a6,1x,a16,a)") "CODE"//achar(65 + next(26)), "between", "a long description"
         write (unit) text(1:3 + next(40))
      end select
   end subroutine write_line
end program returns_and_line_feeds
