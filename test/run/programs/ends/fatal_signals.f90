!run: c
!run: errors
!run: killed
!run: case 9
!run: exit -9
!run: case 15
!run: exit -15
!run: case 11
!run: exit -11
!run: case 6
!run: exit -6
!run: case 2
!run: exit -2
!run: case 8
!run: exit -8
program fatal_signals
   use, intrinsic :: iso_c_binding
   implicit none
   interface
      integer(c_int) function c_kill(number) bind(c)
         import :: c_int
         integer(c_int), value :: number
      end function c_kill
   end interface
   character(10) :: how
   integer :: i, n
   call get_command_argument(1, how)
   read (how, *) n
   open (10, file="a.txt")
   open (11, file="b.txt")
   do i = 1, 5000
      write (10, "(i6,f12.3)") i, i * 0.5
      write (11, *) i, i * 0.25d0
      print "(i6)", i
   end do
   i = c_kill(int(n, c_int))
end program fatal_signals
