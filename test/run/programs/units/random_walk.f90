! Hundreds of random statements on three formatted files: the first argument is the seed.
!run: case 1
!run: case 2
program random_walk
   use, intrinsic :: iso_fortran_env, only: int64, real64
   implicit none
   character(8), parameter :: places(3) = [character(8) :: "asis", "rewind", "append"]
   character(12) :: argument
   character(40) :: text, message
   integer(int64) :: state
   integer :: step, unit, status, number, size, position, numbers(6)
   logical :: is_open(3)
   real(real64) :: value, values(20)
   namelist /few/ number, value

   call get_command_argument(1, argument)
   read (argument, *) state
   is_open = .false.
   number = 0; value = 0; values = [(number / 7d0, number=1, 20)]; numbers = 0; text = "text"; message = " "
   do step = 1, 250
      unit = 10 + below(3) + 1
      if (.not. is_open(unit - 10)) call connect()
      status = 0
      select case (below(30))
      case (0:7)
         call several_writes()
      case (8:16)
         call several_reads()
      case (17)
         inquire (unit, size=size)
         write (*, *) step, "size", size
      case (18)
         rewind (unit, iostat=status)
      case (19:20)
         backspace (unit, iostat=status)
      case (21)
         flush (unit, iostat=status)
      case (22)
         close (unit)
         is_open(unit - 10) = .false.
      case (23)
         ! Behind it gfortran writes at the end of what it had read ahead.
         if (below(3) == 0) then
            endfile (unit, iostat=status)
            close (unit)
            is_open(unit - 10) = .false.
         end if
      case (24)
         write (unit, "(a,i0)", advance="no", iostat=status) "part ", step
      case (25)
         write (unit, nml=few, iostat=status)
      case (26)
         rewind (unit, iostat=status)
         read (unit, nml=few, iostat=status)
         write (*, *) step, status, number, value
         rewind (unit, iostat=status)
      case (27)
         inquire (unit, position=text)
         write (*, *) step, text
      case (28)
         write (unit, "(*(f9.3))", iostat=status) values(:below(20))
      case default
         write (unit, *, iostat=status)
      end select
      if (status /= 0) then
         write (*, *) step, "status", status
         if (below(2) == 0) rewind (unit, iostat=status)
      end if
   end do
   close (11); close (12); close (13)

contains

   subroutine connect()
      if (below(2) == 0) then
         open (unit, file="f" // achar(unit + 55), position=places(1 + below(3)), iostat=status)
      else
         open (unit, file="f" // achar(unit + 55), status="replace", iostat=status)
      end if
      is_open(unit - 10) = status == 0
   end subroutine connect

   subroutine several_writes()
      integer :: i, kind
      kind = below(9)
      do i = 1, merge(below(600), 1 + below(30), below(4) == 0)
         select case (merge(below(9), kind, below(10) == 0))
         case (0); write (unit, "(i6,f10.3)", iostat=status) i, i * 0.25d0
         case (1); write (unit, *, iostat=status) i, step * 0.5d0
         case (2); write (unit, "(a)", iostat=status) text(:below(40))
         case (3); write (unit, "(es22.14)", iostat=status) values(1 + below(20))
         case (4); write (unit, "(3(i5,1x))", iostat=status) i, step, below(1000)
         case (5); write (unit, "(i0,t12,a)", iostat=status) step, "tab"
         case (6); write (unit, "(i4)", advance=merge("no ", "yes", mod(i, 5) > 0), iostat=status) i
         case (7); write (unit, *, iostat=status) "word", i
         case (8); write (unit, "(10i6)", iostat=status) (i, number=1, below(25))
         end select
      end do
   end subroutine several_writes

   subroutine several_reads()
      integer :: i, kind
      kind = below(10)
      if (below(3) == 0) rewind (unit, iostat=status)
      do i = 1, merge(below(300), 1 + below(30), below(4) == 0)
         size = -1
         select case (merge(below(10), kind, below(10) == 0))
         case (0); read (unit, "(i6,f10.3)", iostat=status) number, value
         case (1); read (unit, *, iostat=status) number, value
         case (2); read (unit, "(a)", iostat=status) text
         case (3); read (unit, "(es22.14)", iostat=status) value
         case (4); read (unit, "(a)", advance="no", iostat=status, size=size) text
         case (5); read (unit, *, iostat=status) number
         case (6); read (unit, "(a3)", advance="no", iostat=status, iomsg=message) text
         case (7); read (unit, "(i4)", advance=merge("no ", "yes", mod(i, 5) > 0), iostat=status) number
         case (8); read (unit, *, iostat=status) text, number
         case (9); read (unit, "(6i6)", iostat=status) numbers
         end select
         write (*, "(4(i0,1x),es12.4,1x,a,1x,a,6i7)") step, status, number, size, value, trim(text), trim(message), numbers
         if (status == -1 .or. (status > 0 .and. below(3) == 0)) exit
      end do
      if (status == -1 .and. below(2) == 0) backspace (unit, iostat=status)
      status = 0
   end subroutine several_reads

   integer function below(n)
      integer, intent(in) :: n
      state = mod(state * 1103515245_int64 + 12345_int64, 2147483648_int64)
      below = int(mod(state / 65536_int64, int(n, int64)))
   end function below

end program random_walk
