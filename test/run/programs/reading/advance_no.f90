! READ with ADVANCE='NO': parts of records, and what comes in the middle of one.
program advance_no
   implicit none
   integer, parameter :: lines = 80
   integer :: i
   open (10, file="in.txt")
   do i = 1, lines
      if (mod(i, 10) == 0) then
         write (10, "(a)") repeat("x", mod(i, 30))
      else
         write (10, "(i5,f8.3,1x,a,i4)") i, i*1.25, "word", -i
      end if
   end do
   write (10, "(a)", advance="no") "   17  no end"
   close (10)
   open (20, file="out.txt")
   call parts()
   call characters_one_by_one()
   call with_size()
   call in_the_middle()
   call changing_words()
   call skipped()
   call written_behind()
contains
   subroutine parts()
      integer :: i, k, n, stat
      real :: x
      character(5) :: word
      open (10, file="in.txt", status="old", action="read")
      do i = 1, lines + 2
         k = -1; x = -1; word = "-"; n = -1
         read (10, "(i5)", advance="no", iostat=stat) k
         write (20, *) "a", stat, k
         if (stat /= 0) then
            if (stat > 0) read (10, "()", iostat=stat)
            write (20, *) "b", stat
            cycle
         end if
         read (10, "(f8.3)", advance="no", iostat=stat) x
         write (20, *) "c", stat, x
         if (mod(i, 4) == 0) read (10, "(a5)", advance="no", iostat=stat) word
         if (mod(i, 3) == 0) then
            read (10, "(i4)", iostat=stat) n
         else if (mod(i, 3) == 1) then
            read (10, *, iostat=stat) word, n
         else
            read (10, "()", iostat=stat)
         end if
         write (20, *) "d", stat, word, n
      end do
      close (10)
   end subroutine parts

   subroutine characters_one_by_one()
      character(1) :: letter
      character(40) :: line
      integer :: i, stat, length
      open (10, file="in.txt", status="old", action="read")
      do i = 1, lines + 2
         line = ""
         length = 0
         do
            read (10, "(a1)", advance="no", iostat=stat) letter
            if (stat /= 0) exit
            length = length + 1
            line(length:length) = letter
         end do
         write (20, "(i0,1x,i0,1x,3a)") stat, length, "[", line, "]"
      end do
      close (10)
   end subroutine characters_one_by_one

   subroutine with_size()
      character(12) :: part
      integer :: i, stat, n
      open (10, file="in.txt", status="old", action="read")
      do i = 1, 2*lines
         part = "-"
         n = -1
         read (10, "(a)", advance="no", size=n, iostat=stat) part
         write (20, *) "e", stat, n, part
      end do
      close (10)
      open (10, file="in.txt", status="old", action="read")
      do i = 1, 60
         read (10, "(a12)", advance="no", eor=30, end=40) part
         write (20, *) "f", part
         cycle
30       write (20, *) "g"
      end do
40    close (10)
   end subroutine with_size

   ! The program looks at the unit, or moves it.
   subroutine in_the_middle()
      integer :: i, k, n, stat, other
      character(10) :: rest
      open (10, file="in.txt", status="old", action="read")
      open (30, file="in.txt", status="old", action="read")
      do i = 1, 60
         read (10, "(i5)", advance="no", iostat=stat) k
         read (30, "(i3)", advance="no", iostat=n) other
         select case (mod(i, 12))
         case (1)
            backspace (10)
         case (3)
            inquire (10, nextrec=n)
         case (5)
            backspace (10)
            read (10, "(a)", iostat=n) rest
            write (20, *) "h", n, rest
         case (7)
            rewind (10)
         case (8)
            read (10, "(a)", advance="no", iostat=n) rest
            write (20, *) "i", n, rest
         case (9)
            read (10, "(t3,a)", iostat=n) rest
            write (20, *) "j", n, rest
         case (10)
            read (10, "(tl2,a)", advance="no", iostat=n) rest
            write (20, *) "k", n, rest
         end select
         if (mod(i, 4) /= 0) read (10, "(a)", iostat=n) rest
         write (20, *) "l", i, stat, k, n, rest, other
      end do
      close (10)
      close (30)
   end subroutine in_the_middle

   subroutine changing_words()
      character(5), parameter :: words(6) = [character(5) :: "no", "yes", "NO", "Yes  ", "no", "maybe"]
      integer :: i, k, stat
      open (10, file="in.txt", status="old", action="read")
      do i = 1, 60
         k = -1
         read (10, "(i2)", advance=words(1 + mod(i, merge(5, 6, i < 40))), iostat=stat) k
         write (20, *) "m", stat, k
      end do
      close (10)
   end subroutine changing_words

   subroutine skipped()
      integer :: i, k, stat
      character(4) :: word
      open (10, file="in.txt", status="old", action="read")
      do i = 1, 40
         k = -1
         word = "-"
         read (10, "(2x,i3,2x)", advance="no", iostat=stat) k
         write (20, *) "n", stat, k
         read (10, "(1x,a)", advance="no", iostat=stat) word
         write (20, *) "o", stat, word
         read (10, "(i2,/,i3)", advance="no", iostat=stat) k, k
         write (20, *) "p", stat, k
         read (10, "(3x)", advance="no", iostat=stat)
         write (20, *) "q", stat
         read (10, "(30x,a)", advance="no", iostat=stat) word
         write (20, *) "r", stat, word
         read (10, "(:,a)", advance="no", iostat=stat) word
         write (20, *) "s", stat, word
         read (10, *, iostat=stat) word
         write (20, *) "t", stat, word
      end do
      close (10)
   end subroutine skipped

   subroutine written_behind()
      integer :: i, k, stat
      open (10, file="both.txt")
      do i = 1, 40
         write (10, "(i5,i5,i5)") i, i + 1, i + 2
      end do
      rewind (10)
      do i = 1, 30
         read (10, "(i5)", advance="no", iostat=stat) k
         write (20, *) "u", stat, k
         read (10, "(i5)", iostat=stat) k
      end do
      read (10, "(i5)", advance="no", iostat=stat) k
      write (10, "(a)", iostat=stat) "behind"
      write (20, *) "v", stat
      rewind (10)
      do i = 1, 42
         read (10, "(i5)", advance="no", iostat=stat) k
         if (stat /= 0) exit
         read (10, "(i4)", iostat=stat) k
         write (20, *) "w", stat, k
      end do
      close (10)
   end subroutine written_behind
end program advance_no
