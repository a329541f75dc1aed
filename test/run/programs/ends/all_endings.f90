!run: c
!run: errors
!run: case stop
!run: exit 0
!run: case code
!run: exit 3
!run: case errorstop
!run: exit 7
!run: case text
!run: exit 1
!run: case exit
!run: exit 5
!run: case cexit
!run: exit 6
!run: case atexit
!run: exit 0
!run: case inside
!run: exit 4
program all_endings
   use, intrinsic :: iso_c_binding
   implicit none
   interface
      subroutine c_exit(code) bind(c)
         import :: c_int
         integer(c_int), value :: code
      end subroutine c_exit
      subroutine c_at_exit() bind(c)
      end subroutine c_at_exit
   end interface
   character(10) :: how
   integer :: i
   call get_command_argument(1, how)
   open (10, file="a.txt")
   open (11, file="b.txt")
   if (how == "atexit") call c_at_exit()
   do i = 1, 700
      write (10, "(i6,f9.3)") i, i * 0.5
      write (11, *) i
      if (mod(i, 50) == 0) print *, i
   end do
   write (11, "(a)", advance="no") "partial"
   select case (how)
   case ("stop"); stop
   case ("code"); stop 3
   case ("errorstop"); error stop 7
   case ("text"); error stop "with text"
   case ("exit"); call exit(5)
   case ("cexit"); call c_exit(6)
   case ("inside"); write (10, "(i6,i6)") 1, leave()
   end select
contains
integer function leave()
   leave = 1
   stop 4
end function leave
end program all_endings
