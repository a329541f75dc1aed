program read_arrays
   implicit none
   integer :: i, n(8), stat
   character(8) :: lines(4)
   open (10, file="o.txt")
   do i = 1, 20
      write (lines, "(2i4)") [(n(1) * 0 + i * stat_of(i), stat = 1, 8)]
      n = -1
      read (lines, *, iostat=stat) n
      write (10, *) stat, n
      read (lines, "(2i4)", iostat=stat) n(1:5)
      write (10, *) stat, n
      read (lines, *, iostat=stat) n, stat
      write (10, *) stat
   end do
contains
integer function stat_of(k)
   integer, intent(in) :: k
   stat_of = k + 1
end function stat_of
end program read_arrays
