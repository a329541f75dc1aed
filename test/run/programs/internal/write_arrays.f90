program write_arrays
   implicit none
   integer :: i
   character(14) :: lines(6)
   open (10, file="o.txt")
   do i = 1, 30
      lines = "untouched"
      write (lines, "(i5,i3)") i, 1, i, 2, i, 3
      write (10, "(6a)") lines
      write (lines, "(i4/i4)") i, -i
      write (10, "(6a)") lines
      write (lines(6:1:-2), "(f6.2)") 1.5, 2.5, i * 0.1
      write (10, "(6a)") lines
      write (lines(2:4), *) int(i, 1)
      write (10, "(6a)") lines
   end do
end program write_arrays
