! A file is written, rewound and read, and then BACKSPACE, ENDFILE, WRITE, CLOSE or OPEN comes: what is behind must stay, or go.
!run: case 1
!run: case 2
program back_after_writing
   use, intrinsic :: iso_fortran_env, only: int64
   implicit none
   integer(int64) :: state
   integer :: i, k, n, rows, stat, number, round, size
   character(8) :: argument
   character(30) :: text

   call get_command_argument(1, argument)
   read (argument, *) state
   text = " "
   number = 0
   do k = 1, 120
      rows = merge(below(4000), below(60), below(3) == 0) + 3
      open (10, file="back.txt", status=merge("replace", "unknown", below(2) == 0), iostat=stat)
      rounds: do round = 1, below(3)
         do i = 1, rows
            write (10, "(i6,1x,a)", iostat=stat) i, "some text of a row"
            if (below(400) == 0) flush (10, iostat=stat)
         end do
         rewind (10)
         do i = 1, min(rows, 1 + below(merge(40, 4, below(2) == 0)))
            select case (mod(k + i / 20, 4))
            case (0); read (10, *, iostat=stat) number
            case (1); read (10, "(i6)", iostat=stat) number
            case (2); read (10, "(a)", iostat=stat) text
            case (3)
               do
                  read (10, "(a)", advance="no", size=n, iostat=stat) text(:7)
                  if (stat /= 0) exit
               end do
            end select
         end do
         write (*, "(4(i0,1x),a)") k, round, stat, number, trim(text)
         do i = 1, below(4)
            select case (below(7))
            case (0:1); backspace (10, iostat=stat)
            case (2)
               ! What comes behind it goes behind bytes of zero, as many as gfortran had read ahead.
               endfile (10, iostat=stat)
               exit rounds
            case (3); write (10, "(a)", iostat=stat) "a new row"
            case (4); rewind (10, iostat=stat)
            case (5); inquire (10, size=size); write (*, "(i0)") size
            case (6); flush (10, iostat=stat)
            end select
         end do
         if (below(3) == 0) then
            read (10, "(a)", iostat=stat) text
            write (*, "(i0,1x,a)") stat, trim(text)
         end if
         if (below(2) == 0) rewind (10)
      end do rounds
      close (10)
      open (10, file="back.txt", status="old", action="read")
      do n = 0, 100000
         read (10, "(a)", iostat=stat) text
         if (stat /= 0) exit
      end do
      write (*, "(3(i0,1x),a)") k, n, stat, trim(text)
      close (10)
   end do

contains

   integer function below(n)
      integer, intent(in) :: n
      state = mod(state * 1103515245_int64 + 12345_int64, 2147483648_int64)
      below = int(mod(state / 65536_int64, int(n, int64)))
   end function below

end program back_after_writing
