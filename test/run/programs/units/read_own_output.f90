program read_own_output
   implicit none
   integer :: i, n
   real(8) :: x
   open (10, file="a.txt")
   do i = 1, 3000
      write (10, "(i6,es24.16)") i, i / 7d0
   end do
   rewind (10)
   do i = 1, 3000
      read (10, "(i6,es24.16)") n, x
      if (n /= i .or. abs(x - i / 7d0) > 0) write (*, *) "differs", i
      if (i == 1500) exit
   end do
   write (10, "(a)") "in the middle"
   rewind (10)
   n = 0
   do
      read (10, *, end=20)
      n = n + 1
   end do
20 write (*, *) n
end program read_own_output
