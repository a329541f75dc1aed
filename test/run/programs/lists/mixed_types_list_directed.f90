program mixed_types_list_directed
   implicit none
   integer :: i
   real(8) :: x
   open (10, file="mixed.txt")
   do i = -20, 20
      x = 1.7d0**i * 3
      write (10, *) i, x, real(x), i > 0, "text", cmplx(x, i), cmplx(x, i, 8)
      write (10, *) "a", "b", i, "c", i, i, x, "d"
      write (10, *) "only text"
      write (10, *) i
      write (10, *) x
      write (10, *) real(x)
      write (10, *) int(i, 1), int(i, 2), int(i, 8), int(i, 16)
      write (10, *)
      write (10, *) .true., .false., i == 3
      write (10, *) "", "x", "", "", 5
   end do
   print *, "done", i
   print "(a,i4)", "and", i
end program mixed_types_list_directed
