! T in formats of READ: to the right, to the left, behind the end of a line, behind X and slashes, in lines that end in either way,
! and behind statements that leave the record open: READ with ADVANCE='NO', list-directed READ, BACKSPACE, REWIND.
program columns_by_tabs
   implicit none
   integer :: i, k, which, form, state, status, unit, number, other_number, counted(9)
   real(8) :: value, sum_of_values
   character(12) :: first, second
   character(60) :: line
   character(30), parameter :: formats(12) = [character(30) :: "(a,t10,a)", "(t5,a3,t1,a4)", "(t50,a)", "(2x,t4,a,t4,a)", &
                                              "(a3,/,t7,a)", "(t3,a,1x,t2)", "(t40,t2,a)", "(30x,t2,a)", "(a12,t3,a12,t60)", &
                                              "(t9,2(a2,t3))", "(tr3,a2,t1,a,/)", "(t12,:,a)"]

   state = 11
   do k = 1, 3
      open (newunit=unit, file="columns.txt", access="stream", form="unformatted", action="write", status="replace")
      do i = 1, 4000
         write (line, "(i6,a4,f10.3,i5,1x,a)") i, "key"//achar(65 + next(26)), i*0.25d0, next(9999), "the rest of it"
         number = 40
         if (next(60) == 0) number = next(40)
         write (unit) line(1:number)
         if (k == 3 .and. i > 2500 .and. next(200) == 0) write (unit) char(13)
         if (k > 1 .and. next(20) > 0) write (unit) char(13)
         write (unit) new_line("a")
      end do
      close (unit)

      open (newunit=unit, file="columns.txt", action="read", status="old")
      counted = 0
      sum_of_values = 0
      do i = 1, 9000
         first = "?"
         second = "?"
         number = -1
         other_number = -1
         value = -1
         ! What leaves a record open, or reads behind its end, is rare: most lines are read ahead.
         which = next(47)
         if (next(60) == 0) which = 41 + next(14)
         form = 1 + next(12)
         select case (which)
         case (0:24)
            read (unit, "(a6,t8,a3)", iostat=status) first, second
         case (25:38)
            read (unit, "(t21,i5,t11,f10.3,t1,i6)", iostat=status) number, value, other_number
            if (status == 0) sum_of_values = sum_of_values + value + number + other_number
         case (39:40)
            read (unit, formats(form), iostat=status) first, second
         case (41)
            read (unit, formats(form), iostat=status) first
         case (42:46)
            line = "abc  12 xyz   4.5"
            read (line, "(t6,i2,t14,f4.0,t1,a)", iostat=status) number, value, first
            read (line, formats(form), iostat=status) second
         case (47)
            read (unit, *, iostat=status) number
            read (unit, "(t7,a4,t2,a)", iostat=status) first, second
         case (48)
            read (unit, "(a3)", advance="no", iostat=status) first
            read (unit, "(t7,a4)", iostat=status) second
         case (49)
            read (unit, "(t3,a2,t2)", advance="no", iostat=status) first
            read (unit, "(a)", iostat=status) second
         case (50)
            backspace (unit)
            read (unit, "(t2,a5,t1,a1)", iostat=status) first, second
         case (51)
            read (unit, "(t30)", iostat=status)
         case (52)
            read (unit, "(a10,d3.0)", iostat=status) first, number
            read (unit, *, iostat=status) second
            read (unit, "(t3,a12)", iostat=status) first
         case default
            read (unit, "(a)", iostat=status) line
            first = line(3:)
         end select
         counted(1 + mod(which, 9)) = counted(1 + mod(which, 9)) + sum_of(first) + 3*sum_of(second) + status
         if (next(50) == 0) print "(i5,i4,i6,2i9,es16.8,2('[',a,']'))", i, which, status, number, other_number, value, first, second
         if (status < 0) rewind (unit)
      end do
      print "(i6,9i12,es20.12)", status, counted, sum_of_values
      close (unit, status="delete")
   end do

contains

   integer function next(below)
      integer, intent(in) :: below
      state = modulo(state*1103 + 12347, 1048573)
      next = modulo(state, below)
   end function next

   integer function sum_of(text)
      character(*), intent(in) :: text
      integer :: i
      sum_of = 0
      do i = 1, len(text)
         sum_of = sum_of + i*ichar(text(i:i))
      end do
   end function sum_of
end program columns_by_tabs
