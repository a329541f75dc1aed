program long_lines
   implicit none
   integer :: i, n(3000), stat
   character(200) :: text
   open (10, file="a.txt")
   write (10, "(3000(i0,','))") [(i, i = 1, 3000)]
   write (10, "(a)") repeat("z", 70000)
   write (10, "(3000i6)") [(i, i = 1, 3000)]
   rewind (10)
   read (10, *) n
   print *, sum(n)
   read (10, "(69900x,a)", iostat=stat) text
   print *, stat, text
   read (10, "(3000i6)") n
   print *, sum(n)
   rewind (10)
   read (10, *) n(1:2)
   read (10, "(a)") text(1:3)
   print *, n(1:2), text(1:3)
end program long_lines
