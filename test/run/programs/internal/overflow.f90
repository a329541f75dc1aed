program overflow
   implicit none
   integer :: i, stat
   character(5) :: a
   character(5) :: two(2)
   character(80) :: message
   open (10, file="o.txt")
   do i = 1, 20
      a = "kept"
      message = "none"
      write (a, "(i0,a)", iostat=stat, iomsg=message) i, repeat("x", i / 2)
      write (10, "(a,i6,a)") a, stat, message
      a = "kept"
      write (a, *, iostat=stat, iomsg=message) i, i
      write (10, "(a,i6,a)") a, stat, message
      two = "keep"
      write (two, "(i4)", iostat=stat) [1, 2, 3]
      write (10, "(2a,i6)") two, stat
      write (a, "(f9.3)", iostat=stat) i * 1.0
      write (10, "(a)") a
   end do
end program overflow
