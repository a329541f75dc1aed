program delimiters
   implicit none
   integer :: i
   character(20) :: text
   open (10, file="quote.txt", delim="quote")
   open (11, file="apostrophe.txt", delim="apostrophe")
   open (12, file="none.txt", delim="none")
   do i = 1, 20
      text = "it's """ // achar(64 + i) // """ here"
      write (10, *) text, i, trim(text)
      write (11, *) text, i, trim(text)
      write (12, *) text, i, trim(text)
      write (10, "(a)") text
      write (12, *, delim="quote") text, "x", i
   end do
   rewind (10)
   do i = 1, 5
      read (10, *) text
      write (*, *) text
      read (10, *)
   end do
end program delimiters
