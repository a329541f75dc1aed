program aliasing
   implicit none
   integer :: i
   character(20) :: a
   open (10, file="o.txt")
   a = "abcdefghijklmnopqrst"
   do i = 1, 20
      write (a, "(a,i3)") a(3:8), i
      write (10, "(a)") a
      write (a, "(a,a)") trim(a), "+"
      write (10, "(a)") a
      write (a(5:), "(a)") a(1:9)
      write (10, "(a)") a
      a = "the text of a record"
      write (a, "(a5,'lit',a6)") a(2:3), a(9:10)
      write (10, "(a)") a
      write (a, "(a9,i4)") a(:4), i
      write (10, "(a)") a
      write (a, *) a(15:17)
      write (10, "(a)") a
      read (a, "(a10)") a(11:20)
      write (10, "(a)") a
   end do
end program aliasing
