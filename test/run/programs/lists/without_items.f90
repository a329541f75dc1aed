! Statements without items between others: lines that separate, empty records, lists that are empty now and then.
program without_items
   implicit none
   integer, parameter :: units(3) = [11, 12, 6]
   integer :: i, k, n, u, status
   real(8) :: x(4)
   integer :: none(0)
   character(24) :: form
   character(:), allocatable :: empty

   x = [1.5d0, -2.25d0, 1d10, 1d-3]
   open (11, file="plain.txt")
   open (12, file="short.txt", recl=60)
   open (13, file="errors.txt", recl=40)
   empty = ""
   form = "('kept ', 2x, 'text')"
   do i = 1, 400
      do k = 1, size(units)
         u = units(k)
         write (u, 10)
         write (u, "(i8, 2f12.4)") i, x(1)*i, x(2)
         write (u, *)
         write (u, "()")
         write (u, "(a)")
         write (u, "('head', i5, ' behind')")
         write (u, "(1x, 'one' / 'two' //)")
         write (u, form)
         write (u, "('x', :, i4)") none
         n = mod(i/50, 3)
         write (u, "('list', 4f9.2)") x(:n)
         write (u, *) (i*n, k, status=1, n)
         write (u, "(a, t12, 'at a place')")
         write (u, "(3x, a)") empty
      end do
      write (11, "('a part, ')", advance="no")
      if (mod(i, 3) == 0) write (11, "('another, ')", advance="no")
      write (11, "('and the end')")
      write (13, "(30('+'))", iostat=status)
      write (13, "(45('-'))", iostat=status)
      if (i == 1 .or. i == 400) print "(a, l2)", "too long:", status /= 0
      if (mod(i, 100) == 0) then
         inquire (11, pos=n, iostat=status)
         flush (11)
         backspace (12)
         form = merge("('kept ', 2x, 'text')", "('other')            ", mod(i, 200) == 0)
      end if
   end do
   rewind (11)
   n = 0
   do
      read (11, "(a)", iostat=status)
      if (status /= 0) exit
      n = n + 1
   end do
   print "(a, i8)", "records", n
10 format(38("="))
end program without_items
