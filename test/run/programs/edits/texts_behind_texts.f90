! Texts and blanks one behind another: many pieces of a format that are one text, up to where an item, a slash, a colon or the
! end of a group comes in between.
program texts_behind_texts
   implicit none
   integer :: i, stat
   real :: x(7)
   character(60) :: line
   character(9) :: short
   character(40) :: lines(4)
   character(:), allocatable :: long
   x = [1.5, -2.25, 3.0, 0.0, 1e5, -1e-3, 7.0]
   open (10, file="texts.txt")
   do i = 1, 40
      write (10, "('|',6x,'|',8x,'|',12x,'|',103('-'))")
      write (10, "('|',6x,'|',2(1x,'-'),'|')")
      write (10, "('a','b',i3,'c','d')") i
      write (10, "('a','b',i3,'c','d')") i, i + 1, i + 2
      write (10, "('a','b',i3,:,'c',2x,'d',:,'e')") i, i
      write (10, "('a',3x)")
      write (10, "('a',3x,'')")
      write (10, "('','a','',3x,'','')")
      write (10, "(3x,'a',/,'b',/,2('c',1x),'d')")
      write (10, "('x','y',*('<','=',f9.3,'>','>'))") x(1:1 + mod(i, 7))
      write (10, "('x','y',*('<','=',i3,'>',2x))") i, i, i
      write (10, "('head','er',2('(',' ',f9.3,')',')'))") x(1:1 + mod(i, 7))
      write (10, "('it''s',' ',""it's"",' ','""')")
      write (10, "('a',t8,'b','c',t20,'d','e')")
      write (10, "('a','b',1p,e12.3,'c','d')") x(1:3)
      write (10, "('a','b',i3,'c','d')", advance="no") i
      write (10, "('e',1x,'f')", advance="no")
      write (10, "('g','h')")
      ! These end somewhere inside of the texts, or are left to the run time there.
      write (10, "('a','b',i3,'c','d',i3,'e','f')", iostat=stat) i, x(1)
      write (line, "('a','b',i3,4('-'))") i
      write (10, "(a)") line
      short = "123456789"
      write (short, "('a','b',i3,40('-'))", iostat=stat) i
      print *, i, stat, short
      write (short, "('a',6x,'b','c','d','e')", iostat=stat)
      print *, i, stat, short
      lines = "?"
      write (lines, "('a','b',i3,'c','d',/,'e','f')", iostat=stat) i, i
      print *, stat, lines
   end do
   ! Longer than what is put together.
   long = "(5000('='),i4,3(4000x,'+'),2000('ab',1x,'c'))"
   write (10, long) 1
   write (10, "('a',9000x,'b',9000x)")
   write (10, "(3('a',3000x),'b')")
   close (10)
   open (10, file="records.txt", recl=20)
   do i = 1, 40
      write (10, "(18('-'),i2)", iostat=stat) i
      write (10, "(19('-'),i2)", iostat=stat) i
      write (10, "(30('-'))", iostat=stat)
      write (10, "('a',6x,'b',6x,'c',6x,'d')", iostat=stat)
      write (10, "('|','|')", iostat=stat)
      print *, stat
   end do
   close (10)
end program texts_behind_texts
