! T in formats whose statements come again and again: behind fields of one width, behind others, behind parts of a record, in
! formats that begin anew, with several records, and to the left.
program tabs_in_rows
   implicit none
   integer :: i, k, state, status, unit, units(2)
   real(8) :: x(9)
   real(4) :: y
   character(6) :: word
   character(30) :: inside, format

   state = 4242
   open (newunit=units(1), file="tabs.txt")
   units(2) = 6
   do i = 1, 3000
      unit = units(1 + min(1, next(5)))
      x = [(sqrt(real(i*k, 8)), k=1, 9)]
      y = real(next(10000))/7
      word = repeat("ab", 1 + next(3))
      if (next(97) == 0) word(2:2) = achar(10)
      select case (next(20))
      case (0:2)
         write (unit, "(t2, a6, 1x, 3f20.10)") word, x(1:3)
      case (3)
         write (unit, "(a, t12, i6, t25, f8.3, t40, l1)") word, i, y, i > 50
      case (4)
         write (unit, "(i0, t12, f8.3)") next(10)**next(9), y
      case (5)
         write (unit, "(i5, t6, es12.4, t30)") i, x(2)
      case (6)
         write (unit, "(t5, i4, /, t3, i4, t12, 'end')") i, next(1000)
      case (7)
         write (unit, "(t4, f9.4)") x(1:next(4))
      case (8)
         write (unit, "(i3, t10, f9.4, 2x, t30, i4)") (next(100), x(k), k, k=1, 3)
      case (9)
         write (unit, "(a, t5)", advance="no") word(1:2)
      case (10)
         write (unit, "(a)", advance="no") word(1:1)
         if (next(2) == 0) write (unit, "(t10, a, i3)", advance="no") "|", next(100)
      case (11)
         write (unit, "(t20, 'only text')")
      case (12)
         write (unit, "(i8, t4, i2)") i, next(90)
      case (13)
         write (unit, "(3x, t6, i4, t1, i2)") i, next(90)
      case (14)
         format = merge("(t9, i5)         ", "(i5, t9, f6.2, a)", next(3) > 0)
         write (unit, format, iostat=status) i, x(3)
         if (status /= 0) write (unit, "(a, i0)") "failed ", status
      case (15)
         write (inside, "(a, t9, i5, t20, f8.3)") word, i, y
         write (unit, "(a, t31, '<')") inside
      case (16)
         write (unit, "(t3, g0, t40, g14.5)") next(1000), x(4)
      case (17)
         write (unit, "(t8, z6, t20, e12.3, 1p, t40, e12.3)") i, y, x(5)
      case default
         write (unit, "(1x, a6, t10, i6, t20, f10.3)") word, i, x(6)
      end select
   end do
   close (units(1))

contains

   integer function next(below)
      integer, intent(in) :: below
      state = modulo(state*1103 + 12347, 1048573)
      next = modulo(state, below)
   end function next
end program tabs_in_rows
