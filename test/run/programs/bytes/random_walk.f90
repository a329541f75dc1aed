! Hundreds of random statements on three stream files: the argument is the seed.
!run: case 1
!run: case 2
!run: case 3
!run: case 4
!run: case 5
program random_walk
   use, intrinsic :: iso_fortran_env, only: int8, int16, int64, real64
   implicit none
   character(12), parameter :: orders(3) = [character(12) :: "native", "big_endian", "swap"]
   character(12) :: argument
   character(5) :: word
   integer(int64) :: state
   integer(int64) :: big
   integer(int16) :: small
   integer(int8) :: byte
   integer :: step, unit, status, number, many(700), position, size, from, to
   logical :: is_open(3)
   real :: single, few(4)
   real(real64) :: value, matrix(6, 8)
   complex(real64) :: both

   call get_command_argument(1, argument)
   read (argument, *) state
   is_open = .false.
   number = 0; value = 0; single = 0; few = 0; many = 0; matrix = 0; word = ""; both = 0; byte = 0; small = 0; big = 0
   do step = 1, 600
      unit = 10 + below(3) + 1
      if (.not. is_open(unit - 10)) call connect(merge("replace", "unknown", below(2) == 0))
      select case (below(40))
      case (0:9)
         call several_writes()
      case (10:19)
         call several_reads()
      case (20)
         inquire (unit, pos=position, size=size)
         write (*, *) step, "pos", position, size
      case (21)
         rewind (unit)
      case (22)
         flush (unit)
      case (23)
         read (unit, pos=1 + below(200), iostat=status) number
         write (*, *) step, "read at", status, number
      case (24)
         write (unit, pos=1 + below(400), iostat=status) step
      case (25)
         inquire (unit, size=size)
         read (unit, pos=size + 1, iostat=status)
      case (26)
         close (unit)
         is_open(unit - 10) = .false.
      case (27)
         write (unit, iostat=status) many
      case (28)
         read (unit, iostat=status) many
         write (*, *) step, status, sum(ieor(many, step))
      case (29)
         from = 1 + below(6); to = 1 + below(8)
         write (unit, iostat=status) matrix(from, :), matrix(:, to), matrix(6:from:-1, to:8:2)
      case (30)
         from = 1 + below(6); to = 1 + below(8)
         read (unit, iostat=status) matrix(from, :), matrix(:, to), matrix(6:from:-1, to:8:2)
         call say_bits(sum(ieor(transfer(matrix, [0_int64]), 0_int64)))
      case (31)
         backspace (unit, iostat=status)
      case (32)
         if (below(4) == 0) endfile (unit, iostat=status)
      case (33)
         write (*, *) step, ftell(unit)
      case (34)
         call fseek(unit, below(100), below(2), status)
         rewind (unit)
      case (35)
         write (unit, iostat=status) changed(number), value
      case (36)
         call connect("unknown")
      case (37)
         close (unit)
         open (unit, file="f" // achar(unit + 55), access="stream", position="append", convert=orders(1 + below(3)), iostat=status)
      case (38)
         write (unit, "(i5)", iostat=status) number
         write (*, *) step, status /= 0
      case default
         write (unit)
      end select
   end do
contains

   subroutine connect(how)
      character(*), intent(in) :: how
      open (unit, file="f" // achar(unit + 55), access="stream", convert=orders(1 + below(3)), status=how, iostat=status)
      is_open(unit - 10) = .true.
   end subroutine connect

   subroutine several_writes()
      integer :: i
      do i = 1, below(30)
         select case (below(8))
         case (0)
            write (unit) i, step * 0.5d0
         case (1)
            write (unit, iostat=status) i * 1.5, int(i, int8), int(step, int16), int(i * step, int64)
         case (2)
            write (unit) "text", word(1:below(6)), i
         case (3)
            write (unit) [real :: i, step, 3], few(below(4) + 1:)
         case (4)
            write (unit) cmplx(i, step, real64), mod(i, 2) == 0
         case (5)
            write (unit) i
         case (6)
            write (unit) many(1:below(700))
         case default
            write (unit) value, number, value
         end select
      end do
   end subroutine several_writes

   subroutine several_reads()
      integer :: i
      do i = 1, below(30)
         select case (below(7))
         case (0)
            read (unit, iostat=status) number, value
         case (1)
            read (unit, iostat=status) single, byte, small, big
         case (2)
            read (unit, iostat=status) word(1:below(6)), number
         case (3)
            read (unit, iostat=status) few
         case (4)
            read (unit, iostat=status) both
         case (5)
            read (unit, iostat=status) many(1:below(700))
         case default
            read (unit, iostat=status) value
         end select
         write (*, *) step, i, status, number, byte, small, big, sum(ieor(many, i))
         write (*, "(5i4)") (iachar(word(position:position)), position=1, 5)
         call say_bits(transfer(value, 0_int64))
         call say_bits(ieor(sum(transfer(few, [0_int64])), ieor(transfer(both%re, 0_int64), transfer(both%im, 0_int64))))
      end do
   end subroutine several_reads

   subroutine say_bits(bits)
      integer(int64), intent(in) :: bits
      write (*, "(z16.16)") bits
   end subroutine say_bits

   ! In an I/O list: writes to another unit, in which nothing is open now and then.
   integer function changed(i)
      integer, intent(in) :: i
      integer :: other
      changed = i + 1
      other = merge(11, unit + 1, unit == 13)
      if (is_open(other - 10)) write (other) changed
   end function changed

   integer function below(n)
      integer, intent(in) :: n
      state = mod(state * 48271_int64 + 11, 2147483647_int64)
      below = int(mod(state / 7, int(n, int64)))
   end function below
end program random_walk
