! WRITE to character variables with several items, at random: texts, numbers and logicals of every kind, arrays, lists, formats in
! variables, records that are too long, numbers that are none, variables in their own lists, and statements inside of statements.
!run: case 1
!run: case 2
!run: case 3
module several_items_inside
   implicit none
   private
   public :: number_text, failing
contains
   function number_text(k) result(text)
      integer, intent(in) :: k
      character(:), allocatable :: text
      character(12) :: inside
      write (inside, "(i0,a)") k, "%"
      text = trim(inside)
   end function number_text
   function failing(k) result(text)
      integer, intent(in) :: k
      character(4) :: text
      integer :: status
      write (text, "(i0,a)", iostat=status) k, "abc"
      if (status /= 0) text = "long"
   end function failing
end module several_items_inside

program several_items_written
   use, intrinsic :: iso_fortran_env, only: int8, int16, int64
   use, intrinsic :: ieee_arithmetic, only: ieee_value, ieee_quiet_nan, ieee_negative_inf
   use, intrinsic :: ieee_exceptions, only: ieee_get_flag, ieee_set_flag, ieee_inexact, ieee_underflow
   use several_items_inside, only: number_text, failing
   implicit none
   integer(int64) :: state, wide
   integer :: i, k, stat, many(6)
   integer(int8) :: byte
   integer(int16) :: short
   character(8) :: argument
   character(300) :: text
   character(40) :: few, form, words(3)
   character(:), allocatable :: name
   real(8) :: x, y, table(2, 3)
   real :: r
   logical :: flags(2), yes
   logical(1) :: small

   call get_command_argument(1, argument)
   read (argument, *) state
   open (10, file="several.txt", status="replace")
   do i = 1, 9000
      k = below(200000) - 5000
      if (below(10) == 0) k = -k
      wide = int(k, int64) * 1000003_int64 * below(100000)
      byte = int(below(255) - 127, int8)
      short = int(below(60000) - 30000, int16)
      x = (below(20001) - 10000) / 7d0
      y = (below(2001) - 1000) * 10d0**(below(300) - 150)
      if (below(40) == 0) y = ieee_value(y, ieee_quiet_nan)
      if (below(40) == 0) x = ieee_value(x, ieee_negative_inf)
      if (below(60) == 0) y = tiny(y) / (3 + below(1000))
      r = real(below(20001) - 10000) / 3
      yes = below(2) == 0
      small = yes
      many = [k, -k, i, 7, below(10), 0]
      table = reshape([x, 1d0, -2.5d0, x / 3, 1d10, 0d0], [2, 3])
      name = repeat("n", below(30)) // "e"
      words = [character(40) :: "one", name, ""]
      text = "before"
      few = repeat("?", 40)
      stat = 0
      call ieee_set_flag([ieee_inexact, ieee_underflow], .false.)
      select case (below(46))
      case (0); write (text, "(a,i0,a)") "(a", below(30), ")"
      case (1); write (text, "(i0,a,a,a,a)") k, "_", "NPF", "-", trim(name)
      case (2); write (text(5:20), "(a)", iostat=stat) name
      case (3); write (few, "(i5,2f10.3,1x,es12.4)", iostat=stat) k, x, y, r
      case (4); write (text, "(i5,2f10.3,1x,es12.4)") k, x, y, r
      case (5); write (text, *) k, x, name, y, r, byte, short, wide
      case (6); write (text, *) "value", k, name, "and ", x, yes
      case (7); write (text, "(*(g0,:,','))") k, x, name, yes, y, r, byte, wide
      case (8); write (text, "(5(g0,1x))") k, x, name, yes, y
      case (9); write (text, "(4g15.7)") k, x, yes, r
      case (10); write (text, "(a8,a3,a)") name, name, name
      case (11); write (few, "(a,a,a)", iostat=stat) name, name, name
      case (12); write (text, "(6i8)") many
      case (13); write (text, "(6i8)") many(6:1:-2), many(1:2)
      case (14); write (text, "(3(f10.4,1x,es14.6e3,:,';'))") table
      case (15); write (text, "(3a)") words
      case (16); write (text, *) words(:2), many(:3)
      case (17); write (text, "(2l3,l1,1x,l10)") yes, small, yes, small
      case (18); write (text, "(2l3)") flags_of(yes)
      case (19); write (text, "(sp,i0,1x,i8,f8.2,s,i4)") k, k, x, 7
      case (20); write (text, "(i8.5,i0.3,1x,i3.2)") k, k, byte
      case (21); write (text, "(1x,a,2x,i6,3x)") name, k
      case (22); write (few, "(a,i20,i3)", iostat=stat) trim(name), k, 5
      case (23); write (text, "(a,a)") number_text(k), number_text(-k)
      case (24); write (text, "(a,1x,a)") failing(k), failing(below(9))
      case (25); write (text, "(f0.3,1x,f0.1,1x,e0.4)", iostat=stat) x, r, x
      case (26); write (text, "(1p,e14.6,0p,f10.2,1p,g14.6)") x, x, r
      case (27); write (text, "(d14.6,en14.3)") x, r
      case (28); write (text, "(z8,1x,b10,1x,o12)") k, byte, short
      case (29); write (text, "(a,2f8.2)") "z", cmplx(r, r)
      case (30); write (text, "(i3,a,f4.1)") k, name, x
      case (31); write (text, "(a)") name // new_line("a") // name
      case (32); write (text, "(a,/,a)", iostat=stat) "one", "two"
      case (33); write (text, "(a,i4)", iostat=stat) "one", k, "two"
      case (34); write (text, "('lit',i4,'eral',:,' more')") k
      case (35)
         form = "(a,i" // char(iachar("4") + below(5)) // ",f9.2)"
         write (text, form) name, k, x
      case (36)
         text = "abcdefghijklmnop" // name
         write (text, "(a,a)") text(3:9), "+"
      case (37)
         text = "abcdefghijklmnop" // name
         write (text, "(i5,a,a)") k, text(2:4), name
      case (38)
         text = "abcdefghijklmnop" // name
         write (text(:6), "(a,a)", iostat=stat) text(1:2), name
      case (39); write (text, "(i4,f8.2)", iostat=stat) x, k
      case (40); write (text, "(a,t20,a)") name, name
      case (41); write (text, "(2(i4,1x),a)") byte, short, ""
      case (42); write (text(:0), "(a,a)", iostat=stat) "", ""
      case (43); write (text, "(a100,a,i16,i17,i18)", iostat=stat) name, k, wide, wide
      case (44); write (few, "(a,a20)", iostat=stat) name, "right"
      case (45); write (text, "(g0,1x,f8.2)") name, x
      end select
      call look()
   end do
   close (10)
contains
   subroutine look()
      logical :: raised(2)
      call ieee_get_flag([ieee_inexact, ieee_underflow], raised)
      write (10, "(a,'|',a,'|',i0,1x,2l1)") trim(text), few, stat, raised
   end subroutine look
   function flags_of(one) result(both)
      logical, intent(in) :: one
      logical :: both(2)
      both = [one, .not. one]
      flags = both
   end function flags_of
   integer function below(n)
      integer, intent(in) :: n
      state = modulo(state * 6364136223846793005_int64 + 1442695040888963407_int64, huge(state))
      below = int(modulo(shiftr(state, 20), int(n, int64)))
   end function below
end program several_items_written
