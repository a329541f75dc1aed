!run: c
!run: killed
!run: case now
!run: exit 9
!run: case quick
!run: exit 9
program exit_without_flushing
   use, intrinsic :: iso_c_binding
   implicit none
   interface
      subroutine c_exit_now(code) bind(c)
         import :: c_int
         integer(c_int), value :: code
      end subroutine c_exit_now
      subroutine c_quick_exit(code) bind(c)
         import :: c_int
         integer(c_int), value :: code
      end subroutine c_quick_exit
   end interface
   character(10) :: how
   integer :: i
   call get_command_argument(1, how)
   open (10, file="a.txt")
   do i = 1, 4000
      write (10, "(i6,f12.3)") i, i * 0.5
   end do
   if (how == "now") call c_exit_now(9)
   call c_quick_exit(9)
end program exit_without_flushing
