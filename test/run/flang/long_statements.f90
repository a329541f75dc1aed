! Statements whose text is handed over before they end, and then an item that is the run time's: an infinity, or an error.
program long_statements
   use, intrinsic :: iso_fortran_env, only: real64
   use, intrinsic :: ieee_arithmetic, only: ieee_value, ieee_positive_inf
   implicit none
   real(real64), allocatable :: x(:)
   real(real64) :: infinite
   integer :: i, status
   character(80) :: message
   allocate (x(100000))
   x = [(i * 1.1_real64, i=1, size(x))]
   infinite = ieee_value(infinite, ieee_positive_inf)
   message = ""
   open (10, file="long.txt")
   do i = 1, 3
      write (10, "(5e15.5)") x
      write (10, "(5e15.5)", iostat=status, iomsg=message) x, "text"
      print *, status, trim(message)
      write (10, "(i5)") i
      write (10, "(5(e15.5,1x))") x, infinite, x(:7)
      write (10, "(5(e15.5,1x))") x(:99998), infinite, x(:7)
      write (10, "(i5,*(e15.5,2x))") i, x, infinite, x(3)
      write (10, *) x, infinite, (1.0, 2.0)
   end do
   write (10, "(es12.3)") (x(i), i=1, size(x))
   write (10, *) (x(i), i=1, size(x), 3), "and", infinite, (1.0, 2.0)
   write (10, "(5f10.3)") x(:1000:7)
   write (10, "(5f10.3)") reshape(x(:1000), [10, 100])
   x(77777) = infinite
   write (10, "(5e15.5)") x
   write (10, *) x
   write (10, "(a)") "end"
end program long_statements
