! gfortran takes byte 255 of a character variable for the end of the text, if it is read list-directed.
program byte_255
   implicit none
   integer :: stat, i, n
   real(8) :: x
   character(10) :: word, next
   character(40) :: text
   do i = 1, 40
      text = "ab" // achar(255) // "cd 12"
      word = "-"
      next = "-"
      read (text, *, iostat=stat) word, next
      write (*, "(i0,1x,4a)") stat, "|", trim(word), "|", trim(next)
      n = -7
      text = "12" // achar(255) // " 34"
      read (text, *, iostat=stat) n
      print *, stat, n
      x = -7
      text = "1.5 " // achar(255) // " 2.5"
      read (text, *, iostat=stat) n, x
      print *, stat, n, x
      read (text, "(f3.1,a)", iostat=stat) x, word
      print *, stat, x, ichar(word(2:2))
   end do
end program byte_255
