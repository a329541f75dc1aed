! Short and long lists of statements that are met few times: what they have is seen before it is decided who does them.
!run: exit 0
!run: exit 2
!run: exit 7
!run: case lists
!run: case mismatch
!run: case stops
!run: errors
module parts
   implicit none
   private
   integer, public :: calls = 0
   public :: counted, written_elsewhere, stopped

contains

   real function counted(i)
      integer, intent(in) :: i
      calls = calls + 1
      counted = 0.5*i
   end function counted

   integer function written_elsewhere(i)
      integer, intent(in) :: i
      write (12, "(a,i6)") "asked for", i
      written_elsewhere = -i
   end function written_elsewhere

   integer function stopped(i)
      integer, intent(in) :: i
      stopped = i
      if (i == 3) stop 7
   end function stopped
end module parts

program among_the_first
   use parts, only: calls, counted, written_elsewhere, stopped
   implicit none
   integer, parameter :: many = 3000
   real(8) :: x(many)
   complex :: z(many/2)
   real(16) :: wide
   character(3) :: names(many)
   integer :: i, k, n, status
   character(16) :: what

   do i = 1, many
      x(i) = sqrt(real(i, 8))
      write (names(i), "(i3)") mod(i, 1000)
   end do
   z = cmplx(x(1:many:2), -x(2:many:2))
   wide = 1.0_16/3
   call get_command_argument(1, what)
   open (11, file="a.txt")
   open (12, file="b.txt")
   write (11, "(a)") "begin"
   write (12, "(a)") "begin"
   select case (what)
   case ("mismatch")
      write (11, "(a,i5,i5)") "a real for I:", 3, x(2), (counted(i), i=1, 5)
   case ("stops")
      write (11, "(a,5i5)") "stops inside:", (stopped(i), i=1, 5)
   case default
      do k = 1, 3
         write (11, "(a,4f10.4)") "short", x(k:k + 3)
         write (11, "(5es15.7)") x(1:2047)
         write (11, "(5es15.7)") x(1:2048)
         write (11, "(2i8,(10f9.3))") k, many, x
         write (11, *) "one by one", (counted(i), i=1, many)
         write (11, "(20a4)") names
         write (11, "(a,l2,3(1x,a))") "mixed", k > 1, names(k:k + 2), x(many:1:-2), ""
      end do
   end select
   if (what == "lists") call more_lists()
   close (11)
   close (12)
   write (*, "(a,i8)") "calls", calls

contains

   subroutine more_lists()
      integer :: first, second
      do k = 1, 3
         write (11, *) z(1:k), wide, x(1:0), names(1:0), z
         write (11, "(3(f8.3,i6))") (counted(i), written_elsewhere(i), i=1, 4)
         write (11, "(*(i6))") (written_elsewhere(i), i=1, 2100)
         write (11, "(a,i5,f8.3)", iostat=status) "a real for I, its status is kept", x(2), (counted(i), i=1, 5)
         write (*, "(a,2i8)") "status", status, i
         write (11, "(a)", advance="no") "a part,"
         write (11, "(i5,/,i5)") k, -k
         write (11, "(a,t3,a,/)") "tab", names(k)
         write (11, "(i4)") many*k
      end do
      rewind (11)
      n = 0
      do
         read (11, "(a)", iostat=status) what
         if (status /= 0) exit
         n = n + 1
      end do
      write (*, "(a,i8)") "lines", n
      open (13, file="c.txt")
      write (13, *) 3, x(1:3), "text"
      do k = 1, 20
         rewind (13)
         read (13, *) first, x(1:3), what
         read (13, *, iostat=status) second
      end do
      write (*, "(2i8,3f8.3,1x,a)") first, status, x(1:3), trim(what)
      backspace (13)
      write (13, *) (i, i=1, 40000)
      rewind (13)
      read (13, *) first
      read (13, *) first, second
      write (*, "(2i8)") first, second
      close (13)
   end subroutine more_lists
end program among_the_first
