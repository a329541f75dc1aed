!run: flags -std=legacy
program a_with_numbers
   implicit none
   integer :: i, words(60)
   real(8) :: x
   integer(8) :: d
   logical :: l
   do i = 1, 60
      words(i) = 1633837924 + i
   end do
   x = transfer("ABCDEFGH", x)
   d = transfer("12345678", d)
   l = .true.
   open (10, file="text.txt")
   do i = 1, 30
      write (10, "(a4)") words(i)
      write (10, "(15a4)") words
      write (10, "(a8,a8,a4,a2,a12)") x, d, words(1), words(2), words(3)
      write (10, "(a)") x
      write (10, "(60f4.0,a4)") [(real(i), i = 1, 60)], words(1)
      write (10, "(60i3,a4,i4)") words / 1633837, words(7), 3
   end do
   rewind (10)
   read (10, "(a4)") words(1)
   write (*, "(z8)") words(1)
end program a_with_numbers
