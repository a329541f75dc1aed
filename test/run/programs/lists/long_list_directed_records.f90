program long_list_directed_records
   implicit none
   integer :: i, j
   real(8) :: x(200)
   complex(8) :: z(40)
   character(30) :: words(9)
   x = [(i * 0.1d0, i = 1, 200)]
   z = cmplx(x(1:40), -x(41:80), 8)
   words = "thirty characters in each word"
   open (10, file="long.txt")
   do i = 1, 10
      write (10, *) x
      write (10, *) z
      write (10, *) words
      write (10, *) repeat("y", 50 * i)
      write (10, *) repeat("y", 75 + i), i, x(1:i)
      write (10, *) (j, k(j), j = 1, 90)
      write (10, *) (x(j) > 3, j = 1, 90)
   end do
contains
integer function k(n)
   integer, intent(in) :: n
   k = n**3
end function k
end program long_list_directed_records
