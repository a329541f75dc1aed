program a_of_all_lengths
   implicit none
   integer :: i
   character(100) :: text
   text = "The quick brown fox jumps over the lazy dog, and it rests: ""quoted"" 'text' at the end of one hundred"
   open (10, file="a.txt")
   do i = 1, 100
      write (10, "(a)") text(1:i)
      write (10, "(a)") text(i:i - 1)
      write (10, "(a10)") text(1:i)
      write (10, "(a,a5,a1,a)") text(i:i), text(1:i), text(i:), trim(text(:i))
      write (10, "(a120)") text(i:)
      write (10, "(*(a))") text(1:i), text(i:)
      write (10, "(g0,g5.2)") text(1:i), text(i:)
   end do
   write (10, "(a)") ""
   write (10, "(3a)") "a", "", "c"
end program a_of_all_lengths
