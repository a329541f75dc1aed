! Hundreds of random statements on files of direct access: the argument is the seed.
!run: case 1
!run: case 2
!run: case 3
!run: case 4
!run: case 5
!run: case 6
program direct_walk
   use, intrinsic :: iso_fortran_env, only: int8, int64, real64
   implicit none
   integer, parameter :: units = 5
   ! The last is longer than what is taken over.
   integer, parameter :: lengths(units) = [8, 24, 52, 1000, 40000]
   character(12), parameter :: orders(3) = [character(12) :: "native", "big_endian", "swap"]
   character(9), parameter :: actions(4) = [character(9) :: "readwrite", "readwrite", "read", "write"]
   character(12) :: argument
   character(7) :: word
   integer(int64) :: state, place
   integer(int8) :: byte, raw(40000)
   integer :: step, unit, which, status, number, next, size, record, i, many(13)
   logical :: is_open(units)
   real(real64) :: value, matrix(4, 6)
   complex(real64) :: both

   call get_command_argument(1, argument)
   read (argument, *) state
   is_open = .false.
   number = 0; value = 0; many = 0; matrix = 0; word = ""; both = 0; byte = 0
   do step = 1, 700
      which = 1 + below(units)
      unit = 20 + which
      if (.not. is_open(which)) call connect()
      select case (below(44))
      case (0:5)
         call writes_in_order()
      case (6:11)
         call reads_in_order()
      case (12:16)
         call writes_anywhere()
      case (17:21)
         call reads_anywhere()
      case (22, 23)
         do i = 1, 1 + below(30)
            record = 1 + below(30)
            read (unit, rec=record, iostat=status) number
            number = number + 1
            if (status == 0) write (unit, rec=record, iostat=status) number
         end do
         write (*, *) step, "updated", status, number
      case (24)
         inquire (unit, nextrec=next, size=size)
         write (*, *) step, "next", next, size
      case (25)
         flush (unit)
      case (26)
         call execute_command_line("cksum " // name())
      case (27)
         close (unit)
         is_open(which) = .false.
      case (28)
         write (unit, rec=below(3) - 1, iostat=status) step
         write (*, *) step, "no record", status
      case (29)
         read (unit, rec=below(3) - 1, iostat=status) number
         write (*, *) step, "no record", status, number
      case (30)
         read (unit, rec=100000 + below(10), iostat=status) number
         inquire (unit, nextrec=next)
         write (*, *) step, "behind the end", status, number, next
      case (31)
         raw = int(mod(step, 100), int8)
         write (unit, rec=1 + below(20), iostat=status) step, raw(:lengths(which)), value
         inquire (unit, nextrec=next)
         write (*, *) step, "too long", status, next
      case (32)
         raw = 0
         read (unit, rec=1 + below(20), iostat=status) number, raw(:lengths(which)), value
         inquire (unit, nextrec=next)
         write (*, *) step, "too long", status, number, sum(int(raw)), next
      case (33)
         write (unit, rec=1 + below(20), iostat=status)
         read (unit, rec=1 + below(20), iostat=status)
         write (*, *) step, "empty", status
      case (34)
         do i = 1, 1 + below(20)
            write (unit, rec=1 + below(20), iostat=status) int(i, int8)
            inquire (unit, nextrec=next)
         end do
         write (*, *) step, "looked at", status, next
      case (35)
         write (unit, "(i0)", iostat=status) step
         read (unit, *, iostat=status) number
         rewind (unit, iostat=status)
         write (*, *) step, "formatted", status
      case (36)
         call write_all_types()
      case (37)
         call read_all_types()
      case (38)
         write (unit, rec=below(10) + 1, iostat=status) changed(number)
         write (*, *) step, "changed", number, status
      case (39)
         call look_as_stream()
      case (40)
         place = 2_int64**40 + below(3)
         if (which <= 3) read (unit, rec=place, iostat=status) number
         write (*, *) step, "far away", status
      case (41)
         call connect()
      case (42)
         ! The last record of the file may be a part of one.
         inquire (unit, size=size)
         read (unit, rec=size / lengths(which) + 1, iostat=status) byte
         write (*, *) step, "the end", status, byte
      case (43)
         write (unit, rec=1 + below(10), iostat=status) number
         read (unit, rec=1 + below(10), iostat=status, iomsg=argument) number
         write (*, *) step, "message", status, argument
      end select
   end do
   write (*, *) number, value, sum(matrix), word, both
contains
   integer function below(limit)
      integer, intent(in) :: limit
      state = mod(state * 1103515245_int64 + 12345_int64, 2147483648_int64)
      below = int(mod(state / 16, int(limit, int64)))
   end function below

   function name()
      character(2) :: name
      name = "d" // achar(iachar("0") + which)
   end function name

   subroutine connect()
      open (unit, file=name(), access="direct", recl=lengths(which), status="unknown", iostat=status, &
            action=merge(actions(1), actions(1 + below(4)), .not. exists()), convert=orders(1 + below(3)))
      is_open(which) = .true.
      write (*, *) step, "open", status
   end subroutine connect

   logical function exists()
      inquire (file=name(), exist=exists)
   end function exists

   subroutine writes_in_order()
      integer :: first, k
      first = 1 + below(20)
      do k = first, first + below(300 / which)
         if (which == 1) write (unit, rec=k, iostat=status) k + 0.5d0
         if (which > 1) write (unit, rec=k, iostat=status) k, [k, 2 * k], k / 3d0
      end do
      write (*, *) step, "in order", first, k, status
   end subroutine writes_in_order

   subroutine reads_in_order()
      integer :: first, k
      first = 1 + below(40)
      do k = first, first + below(200)
         many = 0
         value = 0
         if (which == 1) read (unit, rec=k, iostat=status) value
         if (which > 1) read (unit, rec=k, iostat=status) number, many(:2), value
         if (status /= 0) exit
      end do
      write (*, *) step, "in order", first, k, status, number, many, transfer(value, state)
   end subroutine reads_in_order

   subroutine writes_anywhere()
      integer :: k
      do k = 1, 1 + below(60)
         record = 1 + below(80)
         if (below(3) == 0) write (unit, rec=record, iostat=status) record
         if (below(3) == 1) write (unit, rec=record, iostat=status) record, -record
         if (below(3) == 2) write (unit, rec=record, iostat=status) "text"
      end do
      write (*, *) step, "anywhere", status
   end subroutine writes_anywhere

   subroutine reads_anywhere()
      integer :: k, two(2)
      integer(int64) :: all
      all = 0
      do k = 1, 1 + below(60)
         two = 0
         read (unit, rec=1 + below(120), iostat=status) two
         all = all * 3 + two(1) + two(2)
      end do
      write (*, *) step, "anywhere", status, all, two
   end subroutine reads_anywhere

   subroutine write_all_types()
      integer :: k
      do k = 1, 20
         record = 1 + below(12)
         matrix = record
         if (which == 4) write (unit, rec=record, iostat=status) int(k, int8), .true., "word " // achar(64 + k), &
            matrix(2, :), matrix(4:1:-1, 2:6:2), (1d0, 2d0), real(k), [(many(i), i=1, 13)], "é"
         if (which == 3) write (unit, rec=record, iostat=status) matrix(:, 3), cmplx(k, -2.5), k
         if (which == 5) write (unit, rec=record, iostat=status) matrix, (matrix(:, mod(i, 6) + 1), i=1, 200)
      end do
      write (*, *) step, "types", status
   end subroutine write_all_types

   subroutine read_all_types()
      integer :: k
      logical :: is_true
      do k = 1, 20
         record = 1 + below(12)
         is_true = .false.
         if (which == 4) read (unit, rec=record, iostat=status) byte, number, word, matrix(2, :), matrix(4:1:-1, 2:6:2), both
         if (which == 3) read (unit, rec=record, iostat=status) matrix(:, 3), many(4:6:2), number
         if (which == 5) read (unit, rec=record, iostat=status) matrix, (matrix(:, mod(i, 6) + 1), i=1, 200)
         if (status /= 0) exit
      end do
      write (*, *) step, "types", status, byte, number, sum(ieor(transfer(matrix, [0_int64]), 0_int64))
   end subroutine read_all_types

   integer function changed(item)
      integer, intent(inout) :: item
      item = item + 1
      changed = item
   end function changed

   ! Another unit on the same file.
   subroutine look_as_stream()
      integer :: other, k
      flush (unit)
      open (newunit=other, file=name(), access="stream", iostat=status, action="read")
      write (*, *) step, "stream", status
      if (status /= 0) return
      k = 0
      read (other, iostat=status) k
      write (*, *) k
      close (other)
   end subroutine look_as_stream
end program direct_walk
