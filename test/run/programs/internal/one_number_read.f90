! One number in the I/O list of a READ from a character variable: plain texts first, then those that only the run time knows.
program one_number_read
   use, intrinsic :: iso_fortran_env, only: int8, int16, int64, real32, real64
   implicit none
   integer, parameter :: n = 90
   character(24) :: texts(n)
   integer :: i
   do i = 1, n
      write (texts(i), "(i0)") (i*7919 - 300000)*(-1)**i
      if (mod(i, 3) == 0) texts(i) = adjustr(texts(i)(1:9))
      if (mod(i, 5) == 0) write (texts(i), "(i0,a,i0)") i, ", ", i + 1
   end do
   texts(31) = ""
   texts(32) = "-"
   texts(33) = "+12"
   texts(34) = "12345678"
   texts(35) = "-123456789"
   texts(36) = "2147483647"
   texts(37) = "2147483648"
   texts(38) = "3*5"
   texts(39) = "/"
   texts(40) = "7/"
   texts(41) = ",8"
   texts(42) = "1.5"
   texts(43) = "-2.5e3 text"
   texts(44) = "1d2"
   texts(45) = "12 34"
   texts(46) = "12;34"
   texts(47) = "12!34"
   texts(48) = achar(9) // "42"
   texts(49) = "42" // achar(9) // "43"
   texts(50) = "42" // achar(10) // "43"
   texts(51) = "42" // achar(13)
   texts(52) = "abc"
   texts(53) = "4e-324"
   texts(54) = "1e400"
   texts(55) = "nan"
   texts(56) = "-infinity"
   texts(57) = "0.1e-1,2"
   texts(58) = "                       5"
   texts(59) = "                      55"
   texts(60) = "123456789012345678901234"
   texts(61) = "00000000000000000000007"
   texts(62) = "127"
   texts(63) = "-128"
   texts(64) = "128"
   texts(65) = "40000"
   texts(66) = "  - 5"
   texts(67) = "'5'"
   texts(68) = "1+2"
   texts(69) = "1.0+2"
   texts(70) = "t"
   open (10, file="out.txt")
   do i = 1, n
      call integers(texts(i))
      call reals(texts(i))
      call others(texts(i), i)
   end do
   do i = n, 1, -1
      call integers(texts(i))
      call reals(texts(i))
   end do
contains
   subroutine integers(text)
      character(24), intent(in) :: text
      integer :: stat, value
      integer(int8) :: tiny
      integer(int16) :: small
      integer(int64) :: large
      character(200) :: message
      value = -1; tiny = -1; small = -1; large = -1; message = ""
      read (text, *, iostat=stat, iomsg=message) value
      write (10, *) "a", stat, value, trim(message)
      read (text, *, iostat=stat) tiny
      write (10, *) "b", stat, tiny
      read (text, *, iostat=stat) small
      write (10, *) "c", stat, small
      read (text, *, iostat=stat) large
      write (10, *) "d", stat, large
      read (text, "(i8)", iostat=stat) value
      write (10, *) "e", stat, value
      read (text, "(i4)", iostat=stat) value
      write (10, *) "f", stat, value
      read (text(1:5), "(i8)", iostat=stat) value
      write (10, *) "g", stat, value
      read (text(1:9), "(i12)", iostat=stat) large
      write (10, *) "h", stat, large
      read (text(18:), *, iostat=stat) value
      write (10, *) "i", stat, value
      read (text(24:), *, iostat=stat) value
      write (10, *) "j", stat, value
      read (text, "(i3)", iostat=stat) tiny
      write (10, *) "k", stat, tiny
      read (text, "(z4)", iostat=stat) value
      write (10, *) "l", stat, value
   end subroutine integers

   subroutine reals(text)
      character(24), intent(in) :: text
      integer :: stat
      real(real64) :: x
      real(real32) :: y
      x = -1; y = -1
      read (text, *, iostat=stat) x
      write (10, *) "m", stat, x
      read (text, *, iostat=stat) y
      write (10, *) "n", stat, y
      read (text, "(f10.0)", iostat=stat) x
      write (10, *) "o", stat, x
      read (text, "(f10.3)", iostat=stat) x
      write (10, *) "p", stat, x
      read (text, "(e5.1)", iostat=stat) y
      write (10, *) "q", stat, y
      read (text(1:6), "(g20.4)", iostat=stat) x
      write (10, *) "r", stat, x
      read (text, "(1pf12.2)", iostat=stat) x
      write (10, *) "s", stat, x
   end subroutine reals

   subroutine others(text, number)
      character(24), intent(in) :: text
      integer, intent(in) :: number
      integer :: stat, count, i
      integer :: values(3)
      character(24) :: changing
      logical :: is_true
      values = -1
      count = merge(1, mod(number, 4), number < 30)
      read (text, *, iostat=stat) values(1:count)
      write (10, *) "t", stat, values
      read (text, *, iostat=stat) (values(i), i=1, count)
      write (10, *) "u", stat, values
      read (text, "(i4)", iostat=stat) (values(i), i=1, count)
      write (10, *) "v", stat, values
      changing = text
      read (changing, *, iostat=stat) changing(5:8)
      write (10, *) "w", stat, changing
      is_true = .false.
      read (text, *, iostat=stat) is_true
      write (10, *) "x", stat, merge(1, 0, stat == 0 .and. is_true)
      read (text, *, iostat=stat) values(place(number))
      write (10, *) "y", stat, values
   end subroutine others

   integer function place(number)
      integer, intent(in) :: number
      character(4) :: inner
      write (inner, "(i1)") 1 + mod(number, 3)
      read (inner, *) place
   end function place
end program one_number_read
