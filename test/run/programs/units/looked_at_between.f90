! Somebody looks after each short record of a file: INQUIRE, FLUSH, BACKSPACE, a namelist, or a format that is left. Then come
! tables, and what is in the file is read.
program looked_at_between
   implicit none
   integer :: i, k, state, status, step, position, bytes, records(3), units(3)
   real(8) :: x(6), read_back
   logical :: is_open
   character(12) :: word, where_it_stands
   character(80) :: line
   character(3), parameter :: names(3) = ["one", "two", "all"]
   namelist /some/ step, word

   state = 815
   x = [(sqrt(real(k, 8))*10d0**(k - 3), k=1, 6)]
   word = "word"
   records = 0
   do k = 1, 3
      open (newunit=units(k), file="looked_"//names(k)//".txt", action="readwrite", status="replace")
   end do
   do i = 1, 12000
      k = merge(1, merge(2, 3, i < 8000), i < 4000)
      if (next(300) == 0) k = 1 + next(3)
      associate (unit => units(k))
         write (unit, *) i
         records(k) = records(k) + 1
         select case (next(12))
         case (0:2)
            inquire (unit, nextrec=position, opened=is_open, position=where_it_stands)
            if (i == 5000) print *, position, is_open, where_it_stands
         case (3)
            flush (unit)
         case (4)
            step = i
            write (unit, nml=some)
            records(k) = records(k) + 4
         case (5:6)
            write (unit, "(en14.3, 1x, a)") x(1 + next(6)), word
            records(k) = records(k) + 1
         case (7)
            inquire (file="looked_"//names(k)//".txt", size=bytes)
            if (modulo(i, 500) == 0) print *, bytes
         case (8)
            write (unit, "(a)", advance="no") "part"
            inquire (unit, opened=is_open)
            write (unit, "(i5)", iostat=status) i
            records(k) = records(k) + 1
         case (9)
            if (next(20) == 0) then
               backspace (unit)
               write (unit, "(a, i0)") "again ", i
            end if
         case (10)
            if (next(10) == 0) write (unit, "(6es16.8)") (x, position=1, 1 + next(40))
         case default
            write (unit, "(10000a)") word(1:1 + next(12))
            records(k) = records(k) + 1
         end select
      end associate
   end do
   do i = 1, 3000
      write (units(1), "(6f14.6)") x + i
   end do
   do k = 1, 3
      rewind (units(k))
      position = 0
      read_back = 0
      do
         read (units(k), "(a)", iostat=status) line
         if (status /= 0) exit
         position = position + 1
         if (index(line, ".") == 0 .and. verify(trim(line), " 0123456789") == 0) then
            read (line, *) i
            read_back = read_back + i
         end if
      end do
      print *, names(k), records(k) > 0, position, read_back
      close (units(k))
   end do

contains

   integer function next(below)
      integer, intent(in) :: below
      state = modulo(state*1103 + 12347, 1048573)
      next = modulo(state, below)
   end function next
end program looked_at_between
