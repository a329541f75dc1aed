! Lines into character variables: longer and shorter ones, several in a statement, and what comes between them.
program whole_lines
   implicit none
   integer :: i, k, state, status, first, second, unit, counted(6)
   character(12) :: short, other, format
   character(200) :: long
   character(7) :: several(3)
   character(0) :: nothing
   logical :: ends_with_newline

   state = 99
   do k = 1, 2
      ends_with_newline = k == 1
      open (newunit=unit, file="lines.txt", access="stream", form="formatted", action="write", status="replace")
      do i = 1, 6000
         first = next(40)
         if (first == 1) first = 120 + next(120)
         if (first == 2) first = 9000*(1 - min(1, next(20)))
         write (unit, "(i0, 1x, a)", advance="no") i, repeat("word, ", first)
         if (next(9) == 0) write (unit, "(a)") ""
         if (next(9) == 0) write (unit, "(a)") ""
         if (i < 6000 .or. ends_with_newline) write (unit, "(a)") ";"
      end do
      close (unit)
      open (newunit=unit, file="lines.txt", action="read", status="old")
      counted = 0
      format = "(a)"
      do i = 1, 100000
         select case (next(24))
         case (0:7)
            read (unit, "(a)", iostat=status) short
            counted(1) = counted(1) + index(short, "word")
         case (8:13)
            read (unit, "(a)", iostat=status) long
            counted(2) = counted(2) + len_trim(long)
         case (14:15)
            read (unit, "(a)", iostat=status) short, other
            counted(3) = counted(3) + index(short, " ") + len_trim(other)
         case (16)
            read (unit, "(a)", iostat=status) several
            counted(4) = counted(4) + len_trim(several(3))
         case (17)
            read (unit, "(a)", iostat=status)
         case (18)
            read (unit, "(a)", iostat=status) nothing
         case (19)
            read (unit, format, iostat=status) short
            counted(5) = counted(5) + len_trim(short)
            if (next(5) == 0) format = merge("(a3)", "(a) ", format(3:3) == ")")
         case (20)
            read (unit, "(a)", advance="no", iostat=status) other
            if (status == 0) read (unit, "(a)", iostat=status) short
            if (status == -2) status = 0
         case (21)
            if (next(8) == 0 .and. i > 2) backspace (unit, iostat=status)
         case (22)
            read (unit, *, iostat=second) first
            if (second == 0) counted(6) = counted(6) + first
            status = merge(second, 0, second < 0)
         case default
            read (unit, "(a20)", iostat=status) short
            counted(6) = counted(6) + len_trim(short)
         end select
         if (status /= 0) exit
      end do
      print *, i, status, counted
      print *, short, other, several
      close (unit, status="delete")
   end do

contains

   integer function next(below)
      integer, intent(in) :: below
      state = modulo(state*1103 + 12347, 1048573)
      next = modulo(state, below)
   end function next
end program whole_lines
