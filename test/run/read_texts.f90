! Reads a file by many forms of READ, one after the other, whatever is in it: prints statuses, messages, values as bits and flags.
! Arguments: the file, and a number from which the order of the forms follows.
program read_texts
   use, intrinsic :: ieee_exceptions
   use, intrinsic :: iso_fortran_env, only : int8, int16, int32, int64, real32, real64, iostat_end
   implicit none
   integer, parameter :: forms = 32
   type(ieee_flag_type), parameter :: every_flag(5) = &
      [ieee_overflow, ieee_underflow, ieee_divide_by_zero, ieee_invalid, ieee_inexact]
   character(200) :: path, argument, line, message
   character(8) :: word, second
   character(40) :: text
   integer :: form, step, stat, statements, ends
   integer(int32) :: n(4)
   integer(int64) :: long
   integer(int16) :: short
   integer(int8) :: tiny_one
   real(real64) :: x(12), section(2, 6)
   real(real32) :: y(3)
   logical :: truth, flags(5)
   call get_command_argument(1, path)
   call get_command_argument(2, argument)
   read (argument, *) step
   open (10, file=path, action="read")
   open (11, file="values.txt")
   form = step
   ends = 0
   do statements = 1, 4000
      form = mod(form * 5 + step, forms)
      n = -7
      long = -7
      short = -7
      tiny_one = -7
      x = -7
      y = -7
      section = -7
      word = "none"
      second = "none"
      text = "none"
      truth = .false.
      message = "none"
      line = "none"
      if (mod(statements, 3) == 0) call ieee_set_flag(every_flag, .false.)
      call one_statement()
      call ieee_get_flag(every_flag, flags)
      write (11, "(3i8,5l2,1x,a)") form, stat, statements, flags, trim(message)
      write (11, "(4i12,i21,2i7,l2)") n, long, short, tiny_one, truth
      write (11, "(12(1x,z16.16))") x
      write (11, "(12(1x,z16.16))") section
      write (11, "(3(1x,z8.8),4(1x,a))") y, word, second, trim(text)
      if (stat == iostat_end) then
         ends = ends + 1
         if (ends > 2) exit
         rewind (10)
      end if
   end do
   line = "none"
   read (10, "(a)", iostat=stat) line
   write (11, "(i8,1x,a)") stat, trim(line)
contains
   subroutine one_statement()
      select case (form)
      case (0)
         read (10, *, iostat=stat, iomsg=message) x(1)
      case (1)
         read (10, *, iostat=stat, iomsg=message) n(1)
      case (2)
         read (10, *, iostat=stat, iomsg=message) n(1), x(1), word
      case (3)
         read (10, *, iostat=stat, iomsg=message) x(1:4)
      case (4)
         read (10, *, iostat=stat, iomsg=message) y(1:2)
      case (5)
         read (10, *, iostat=stat, iomsg=message) long, short, tiny_one
      case (6)
         read (10, *, iostat=stat, iomsg=message) truth, n(1)
      case (7)
         read (10, *, iostat=stat, iomsg=message) word, second, text
      case (8)
         read (10, "(i5)", iostat=stat, iomsg=message) n(1)
      case (9)
         read (10, "(4i4)", iostat=stat, iomsg=message) n
      case (10)
         read (10, "(f8.3)", iostat=stat, iomsg=message) x(1)
      case (11)
         read (10, "(es12.4,2x,i3)", iostat=stat, iomsg=message) x(1), n(1)
      case (12)
         read (10, "(a)", iostat=stat, iomsg=message) text
      case (13)
         read (10, "(a5,a12)", iostat=stat, iomsg=message) word, second
      case (14)
         read (10, "(2(f6.2,1x))", iostat=stat, iomsg=message) x(1:3)
      case (15)
         read (10, "(l3,i2)", iostat=stat, iomsg=message) truth, n(1)
      case (16)
         read (10, "(10f7.2)", iostat=stat, iomsg=message) x(1:10)
      case (17)
         read (10, "(/,i4)", iostat=stat, iomsg=message) n(1)
      case (18)
         read (10, "(i4,/)", iostat=stat, iomsg=message) n(1)
      case (19)
         read (10, "(z6,o5)", iostat=stat, iomsg=message) n(1:2)
      case (20)
         read (10, "(1p,2e10.3)", iostat=stat, iomsg=message) x(1:2)
      case (21)
         read (10, "(g12.4,g6.0)", iostat=stat, iomsg=message) y(1), n(1)
      case (22)
         read (10, "(bz,i5)", iostat=stat, iomsg=message) n(1)
      case (23)
         read (10, *, iostat=stat, iomsg=message)
      case (24)
         read (10, "(i3,:,i3)", iostat=stat, iomsg=message) n(1)
      case (25)
         read (10, "(2f9.4)", iostat=stat, iomsg=message) section
      case (26)
         read (10, *, iostat=stat, iomsg=message) section(1, :)
      case (27)
         read (10, "(*(i6))", iostat=stat, iomsg=message) n
      case (28)
         read (10, "(a)", iostat=stat, iomsg=message) line
         if (stat == 0) read (line, *, iostat=stat, iomsg=message) n(1), x(1:2), word
      case (29)
         read (10, "(a)", iostat=stat, iomsg=message) line
         if (stat == 0) read (line, "(f10.3,i5,a3)", iostat=stat, iomsg=message) x(1), n(1), word
      case (30)
         read (10, "(a)", iostat=stat, iomsg=message) line
         if (stat == 0) read (line, *, iostat=stat, iomsg=message) y
      case default
         read (10, "(i4,f8.2,1x,a6,l2)", iostat=stat, iomsg=message) n(1), y(1), word, truth
      end select
   end subroutine one_statement
end program read_texts
