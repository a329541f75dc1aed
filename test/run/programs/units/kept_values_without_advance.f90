! Records of several statements with ADVANCE='NO', many of each, with what comes in between, behind and instead of them.
program kept_values_without_advance
   implicit none
   integer, parameter :: dp = kind(1d0)
   integer :: i, k, n, stat, position
   real(dp) :: x(6), zero
   character(8) :: word
   character(3) :: advance
   character(200) :: line
   zero = 0
   x = 0
   ! A record of three statements, some rows longer than others.
   open (10, file="three.txt")
   do i = 1, 500
      x = [(i/real(k, dp), k=1, 6)]
      write (10, "(1x,i5,1x,i3.3,2(1x,f8.2))", advance="no") i, mod(i, 366), x(1:2)
      write (10, "(10f9.3)", advance="no") x(1:2 + mod(i/100, 3))
      write (10, "(3(1x,i6),f6.2)") i, 2*i, 3*i, mod(x(3), 10._dp)
   end do
   close (10)
   ! One value a statement; blanks of X at the end of each; values that are not plain now and then.
   open (11, file="elements.txt")
   do i = 1, 300
      do k = 1, 6
         if (mod(i, 60) == 0 .and. k == 3) then
            write (11, "(es14.6,2x)", advance="no") 1/zero
         else
            write (11, "(es14.6,2x)", advance="no") i*0.5_dp**k
         end if
      end do
      write (11, *)
      write (11, "(6(es14.6,2x))", advance="no") (i*0.25_dp**k, k=1, 6)
      write (11, "(a)") "|"
   end do
   close (11)
   ! Values of other lengths, texts, and statements that end a record in the middle.
   open (12, file="lengths.txt")
   do i = 1, 400
      word = repeat("w", 1 + mod(i, 8))
      write (12, "(i0,',',f0.3,',')", advance="no") i**2, i/8d0
      write (12, "(a,1x,l1)", advance="no") word, mod(i, 3) == 0
      write (12, "(a)", advance="no") trim(word)
      write (12, "(i4,/,i4)", advance="no") i, i + 1
      write (12, "(g0,1x)", advance="no") i*0.1_dp
      if (mod(i, 4) == 0) write (12, "(t4,a,t60,a)") "tabs", "behind"
      if (mod(i, 4) == 1) write (12, *) i, word
      if (mod(i, 4) == 2) write (12, "()")
   end do
   close (12)
   ! The same statement with both; an advance that is neither.
   open (13, file="either.txt")
   do i = 1, 300
      advance = merge("no ", "yes", mod(i, 7) /= 0)
      write (13, "(2i6)", advance=advance) i, -i
      if (i > 150 .and. mod(i, 70) == 0) then
         advance = "may"
         write (13, "(2i6)", advance=advance, iostat=stat) i, -i
         write (*, *) "advance=may", stat /= 0
      end if
   end do
   write (13, *)
   close (13)
   ! What looks at the file in the middle of a record, or moves the unit.
   open (14, file="looked_at.txt", access="stream", form="formatted")
   do i = 1, 200
      write (14, "(i6,1x)", advance="no") i
      write (14, "(f8.3)", advance="no") i*0.125
      if (mod(i, 40) == 0) then
         inquire (14, pos=position)
         write (*, *) position
      end if
      if (mod(i, 30) == 0) flush (14)
      if (mod(i, 10) == 0) write (14, "(i3)") i
   end do
   close (14)
   open (15, file="moved.txt")
   n = 0
   do i = 1, 120
      write (15, "(2i8)", advance="no") i, 2*i
      if (mod(i, 5) /= 0) cycle
      write (15, "(i8)") i
      if (mod(i, 25) == 0) backspace (15)
      if (mod(i, 60) == 0) then
         write (15, "(2i8)", advance="no") -i, -2*i
         rewind (15)
         do
            read (15, "(a)", iostat=stat) line
            if (stat /= 0) exit
            n = n + len_trim(line)
         end do
         write (*, *) i, n, stat
         backspace (15)
      end if
   end do
   close (15)
   ! Records that may not be longer than that.
   open (16, file="length.txt", recl=24)
   do i = 1, 80
      write (16, "(i8)", advance="no", iostat=stat) i
      if (i < 20) write (*, *) i, stat
      write (16, "(i8)", advance="no", iostat=stat) i
      if (mod(i, 3) == 0) write (16, "(i8)", iostat=stat) i
      if (mod(i, 3) == 0 .and. i < 20) write (*, *) i, stat
   end do
   close (16)
   ! Standard output, and the end of the program in the middle of a record.
   do i = 1, 60
      write (*, "(i6,1x)", advance="no") i
      if (mod(i, 10) == 0) write (*, *)
   end do
   open (17, file="end.txt")
   do i = 1, 60
      write (17, "(i6,1x,a)", advance="no") i, "end"
   end do
end program kept_values_without_advance
