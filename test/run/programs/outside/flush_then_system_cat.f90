program flush_then_system_cat
   implicit none
   integer :: i
   open (10, file="a.txt")
   do i = 1, 6
      write (10, "(a,i5)") "record", i
      write (10, *) i * 0.5
      flush (10)
      flush (6)
      call system("cat a.txt")
   end do
end program flush_then_system_cat
