! RECL= and characters that are line feeds: they end no record.
program line_feeds_and_recl
   implicit none
   integer, parameter :: longest(5) = [1, 2, 10, 24, 100]
   integer :: i, j, k, stat, length
   character(:), allocatable :: text
   character(300) :: message
   character(200) :: line
   character(12) :: position
   real :: x(4)
   namelist /some/ j, x
   x = 1.5
   do k = 1, 5
      open (10, file="recl"//achar(48 + k)//".txt", recl=longest(k))
      do i = 1, 300
         j = i
         length = mod(i*7, longest(k) + 2)
         text = repeat("a", length)
         if (mod(i, 5) == 0 .and. length > 1) text(length/2:length/2) = achar(10)
         if (mod(i, 25) == 0 .and. length > 1) text(length:length) = achar(10)
         if (mod(i, 35) == 0 .and. length > 1) text(1:1) = achar(10)
         write (10, "(a)", iostat=stat, iomsg=message) text
         if (stat /= 0) print *, i, stat, trim(message)
         if (mod(i, 50) == 0) then
            inquire (10, position=position)
            print *, position
         end if
         if (mod(i, 60) == 0) write (10, some, iostat=stat)
         if (mod(i, 70) == 0) write (10, "(i8,/,a)", iostat=stat) i, text
         if (mod(i, 41) == 0) write (10, "(2i5)", advance="no", iostat=stat) i, i
         if (i > 100) write (10, "(i4,f6.2)", iostat=stat) i, i*0.5
         if (mod(i, 80) == 0) write (10, *, iostat=stat) i, x, text
         if (mod(i, 10) == 0) print *, i, stat
         if (mod(i, 90) == 0) then
            backspace (10)
            read (10, "(a)", iostat=stat) line
            print *, stat, line(1:10)
         end if
         write (10, "()")
      end do
      rewind (10)
      length = 0
      do
         read (10, "(a)", iostat=stat) line
         if (stat /= 0) exit
         length = length + len_trim(line)
      end do
      print *, length, stat
      close (10)
   end do
end program line_feeds_and_recl
