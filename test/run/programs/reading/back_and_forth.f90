! Files are read with REWIND and BACKSPACE in between, near and far: lines that are read ahead stay, and nobody must see it.
!run: case 1
!run: case 2
!run: case 3
program back_and_forth
   use, intrinsic :: iso_fortran_env, only: int64
   implicit none
   integer(int64) :: state
   integer :: file, walk, stat
   character(8) :: argument
   logical :: may_write

   call get_command_argument(1, argument)
   read (argument, *) state
   do file = 1, 24
      call write_file(merge(9000, 12 * file, mod(file, 4) == 0), mod(file, 3))
      do walk = 1, 3
         may_write = below(2) == 0
         open (10, file="lines.txt", status="old", action=trim(merge("readwrite", "read     ", may_write)), &
            position=trim(merge("rewind", "asis  ", below(2) == 0)))
         call go(150)
         if (walk == 3 .and. below(2) == 0) then
            close (10, status="delete", iostat=stat)
         else
            close (10, iostat=stat)
         end if
         write (*, "(i0)") stat
      end do
   end do

contains

   integer function below(n)
      integer, intent(in) :: n
      state = mod(state * 48271_int64, 2147483647_int64)
      below = int(mod(state, int(n, int64)))
   end function below

   ! ends: of lines; 1: with carriage returns, 2: the last one has none.
   subroutine write_file(lines, ends)
      integer, intent(in) :: lines, ends
      integer :: i, length
      open (11, file="lines.txt", access="stream", form="unformatted", status="replace")
      do i = 1, lines
         length = merge(0, below(merge(400, 40, below(50) == 0)), below(20) == 0)
         write (11) merge("1 2 3", "4 5 6", below(2) == 0), repeat(achar(97 + mod(i, 26)), length)
         if (ends == 2 .and. i == lines) exit
         if (ends == 1) write (11) achar(13)
         write (11) achar(10)
      end do
      close (11)
   end subroutine write_file

   subroutine go(steps)
      integer, intent(in) :: steps
      integer :: i, k, n, number, size
      character(30) :: text, other
      do i = 1, steps
         text = "-"
         other = "-"
         number = 0
         stat = 0
         select case (below(14))
         case (0:3)
            do k = 1, 1 + below(merge(2000, 30, below(20) == 0))
               read (10, "(a)", iostat=stat) text
               if (stat /= 0) exit
            end do
         case (4); read (10, *, iostat=stat) number, n
         case (5); read (10, "(a/a)", iostat=stat) text, other
         case (6); read (10, "(i1)", advance="no", iostat=stat) number
         case (7:8); rewind (10, iostat=stat)
         case (9:10)
            do k = 1, 1 + below(3)
               backspace (10, iostat=stat)
            end do
         case (11)
            backspace (10)
            read (10, "(a)", iostat=stat) text
         case (12)
            inquire (10, size=size)
            write (*, "(i8)") size
         case (13)
            if (may_write .and. below(12) == 0) write (10, "(a)", iostat=stat) "9 9 9 a new line"
         end select
         write (*, "(i0,1x,i0,1x,a,1x,a)") stat, number, trim(text), trim(other)
      end do
   end subroutine go

end program back_and_forth
