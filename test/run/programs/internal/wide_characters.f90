program wide_characters
   implicit none
   integer, parameter :: ucs = selected_char_kind("ISO_10646")
   character(20, kind=ucs) :: wide
   integer :: i, n
   open (10, file="o.txt", encoding="utf-8")
   do i = 1, 20
      write (wide, "(a,i5)") ucs_"n =", i
      write (10, "(a)") wide
      read (wide(4:), *) n
      write (10, *) n
   end do
end program wide_characters
