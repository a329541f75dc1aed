program wide_characters
   implicit none
   integer, parameter :: ucs = selected_char_kind("ISO_10646")
   character(10, kind=ucs) :: wide
   integer :: i
   open (10, file="utf8.txt", encoding="utf-8")
   open (11, file="plain.txt")
   do i = 1, 40
      wide = ucs_"ab" // char(int(z"00E4") + i, kind=ucs) // char(int(z"3B1") + i, kind=ucs)
      write (10, "(a)") wide
      write (10, "(a4,i4,a10)") wide, i, wide ! a12: gfortran 14 leaves bytes that nobody set
      write (10, *) wide, i
      write (10, "(a)") "plain " // achar(228)
      write (11, "(a)") wide(1:2)
      write (11, *) wide(1:2), i
   end do
   rewind (10)
   read (10, "(a)") wide
   write (*, *) iachar(wide(3:3)), iachar(wide(4:4))
end program wide_characters
