! RECL=: one statement with many values, from elements, expressions and arrays. No item looks at all of the text before it.
program long_statements_with_recl
   use, intrinsic :: iso_fortran_env, only: real64
   implicit none
   integer, parameter :: many = 300000
   integer :: i, stat
   real(real64) :: x(10)
   x = 1.5_real64
   open (10, file="long.txt", recl=130)
   write (10, "(10f12.3)") (x(mod(i, 10) + 1)*i/1000, i=1, many)
   write (10, "(10f12.3)") (x*i/1000, i=1, many/10)
   write (10, "(5(f12.3,:,/))") (x(1)*i/1000, i=1, many/10)
   write (10, "(8i16)", iostat=stat) (i, i=1, many/10)
   print *, stat
   ! The last record is too long.
   write (10, "(10f12.3,f12.3)", iostat=stat) (x(1), i=1, 10)
   print *, stat
   write (10, "(2000(10f12.3,/),20f12.3)", iostat=stat) (x(1), i=1, 20020)
   print *, stat
   close (10)
   ! Without RECL= again, and on the unit's own file.
   write (10, "(a)") repeat("x", 300)
   do i = 1, 1000
      write (10, "(i8)") i
   end do
   close (10)
end program long_statements_with_recl
