!run: c
!run: errors
!run: killed
!run: case f
!run: case c
!run: exit -6
program abort_it
   implicit none
   interface
      subroutine c_abort() bind(c)
      end subroutine c_abort
   end interface
   character(10) :: how
   integer :: i
   call get_command_argument(1, how)
   open (10, file="a.txt")
   do i = 1, 3000
      write (10, "(i6,f12.3)") i, i * 0.5
   end do
   if (how == "f") call abort()
   call c_abort()
end program abort_it
