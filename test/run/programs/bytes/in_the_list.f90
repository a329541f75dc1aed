! Functions in the I/O list that do I/O themselves, errors in the middle, and a stop inside of a statement.
!run: case other
!run: case stop
!run: exit 0
!run: exit 3
!run: errors
program in_the_list
   implicit none
   character(10) :: what
   integer :: i
   call get_command_argument(1, what)
   open (10, file="a.bin", access="stream", status="replace")
   open (11, file="b.txt", status="replace")
   open (12, file="c.bin", access="stream", status="replace")
   do i = 1, 50
      write (10) i, noted(i), i
      write (11, "(3i8)") i, noted(i), i
   end do
contains
   integer function noted(i)
      integer, intent(in) :: i
      noted = -i
      select case (what)
      case ("other")
         write (12) i, i * 2
      case ("stop")
         if (i == 40) stop 3
      end select
   end function noted
end program in_the_list
