!> Does the run time notice that data did not reach the file? First: answers.f90.
!>
!> Nobody need be root: the process forbids itself files above 65,536 bytes (setrlimit, SIGXFSZ
!> ignored). Then write(2) transfers a part and the next one fails, as on a full disk, with error 27
!> (EFBIG) for 28 (ENOSPC). The numbers behind the name: the limit (0 for none: run it so in a small
!> file system), how many values, and 1 for FLUSH before CLOSE.
program full_disk
   use, intrinsic :: iso_c_binding, only : c_funptr, c_int, c_intptr_t, c_long, c_null_funptr
   use, intrinsic :: iso_fortran_env, only : int64, real64
   use check_answers, only : answer, asked_check, asked_number, digits, step
   implicit none

   !> Soft and hard limit, as in C
   type, bind(c) :: limits
      integer(c_long) :: soft, hard
   end type limits

   !> What the statements said, and what is in the file
   type :: outcome
      integer :: write = 0, flush = 0, close = 0
      integer(int64) :: bytes = 0
   end type outcome

   interface
      integer(c_int) function c_setrlimit(resource, values) bind(c, name="setrlimit")
         import :: c_int, limits
         integer(c_int), value :: resource
         type(limits), intent(in) :: values
      end function c_setrlimit
      type(c_funptr) function c_signal(number, handler) bind(c, name="signal")
         import :: c_funptr, c_int
         integer(c_int), value :: number
         type(c_funptr), value :: handler
      end function c_signal
   end interface

   integer(c_int), parameter :: limit_file_size = 1, signal_file_size = 25
   integer(c_intptr_t), parameter :: ignore = 1
   character(len=*), parameter :: file = "full.dat"
   real(real64) :: values(40000)
   integer :: i

   call limit_files(asked_number(1, 65536_int64))
   values = [(1 / real(i + 2, real64), i = 1, size(values))]
   call judge(asked_check())

contains

!> Check full-disk-formatted: Formatted records on a full disk: does any statement report it?
!> Instead: compare INQUIRE(SIZE=) after CLOSE with the bytes that were written.

!> Check full-disk-list: List-directed records on a full disk: does any statement report it?
!> Instead: compare INQUIRE(SIZE=) after CLOSE with what was written; raw: headrace's write_array.

!> Check full-disk-records: Unformatted records on a full disk: does any statement report it?
!> Instead: compare INQUIRE(SIZE=) after CLOSE with the bytes that were written.

!> Check full-disk-array: One unformatted array on a full disk: does any statement report it?
!> Instead: compare INQUIRE(SIZE=) after CLOSE with what was written; raw: headrace's write_array.

!> Check full-disk-stream: Stream access on a full disk: does any statement report it?
!> Instead: compare INQUIRE(SIZE=) after CLOSE with what was written; raw: headrace's write_array.

!> Check full-disk-direct: Direct access on a full disk: does any statement report it?
!> Instead: compare INQUIRE(SIZE=) after CLOSE with what was written; raw: headrace's write_array.
subroutine judge(name)
   character(len=*), intent(in) :: name
   type(outcome) :: found
   character(len=:), allocatable :: text

   found = write_file(name, int(asked_number(2, 12000_int64)), flushed())
   text = told(found) // ", CLOSE " // digits(found%close) // ", file cut at " // &
      & digits(found%bytes) // " bytes"
   call answer(any([found%write, found%flush, found%close] /= 0), text)
end subroutine judge

!> Is there a FLUSH before CLOSE?
logical function flushed()

   flushed = asked_number(3, 0_int64) == 1
end function flushed

!> What has been said before CLOSE
function told(found) result(text)
   type(outcome), intent(in) :: found
   character(len=:), allocatable :: text

   text = "iostat= of WRITE " // digits(found%write)
   if (flushed()) text = text // ", FLUSH " // digits(found%flush)
end function told

!> Write `count` values until a statement reports something
type(outcome) function write_file(name, count, with_flush) result(found)
   character(len=*), intent(in) :: name
   integer, intent(in) :: count
   logical, intent(in) :: with_flush
   integer :: unit, k, length, status

   inquire (iolength=length) values(1:4)
   select case (name)
   case ("full-disk-formatted", "full-disk-list")
      open (newunit=unit, file=file, status="replace", action="write")
   case ("full-disk-stream")
      open (newunit=unit, file=file, status="replace", action="write", form="unformatted", &
         & access="stream")
   case ("full-disk-direct")
      open (newunit=unit, file=file, status="replace", action="write", form="unformatted", &
         & access="direct", recl=length)
   case default
      open (newunit=unit, file=file, status="replace", action="write", form="unformatted")
   end select
   do k = 1, count, 4
      select case (name)
      case ("full-disk-formatted"); write (unit, "(4es24.16e3)", iostat=found%write) values(k:k + 3)
      case ("full-disk-list"); write (unit, *, iostat=found%write) values(k:k + 3)
      case ("full-disk-direct"); write (unit, rec=k / 4 + 1, iostat=found%write) values(k:k + 3)
      case ("full-disk-array"); write (unit, iostat=found%write) values(1:count)
      case default; write (unit, iostat=found%write) values(k:k + 3)
      end select
      if (found%write /= 0 .or. name == "full-disk-array") exit
   end do
   if (with_flush) flush (unit, iostat=found%flush)
   call step(told(found) // ", then CLOSE with iostat=")
   close (unit, iostat=found%close)
   inquire (file=file, size=found%bytes)
   open (newunit=unit, file=file, status="old", iostat=status)
   if (status == 0) close (unit, status="delete", iostat=status)
end function write_file

subroutine limit_files(bytes)
   integer(int64), intent(in) :: bytes
   type(c_funptr) :: before

   if (bytes == 0) return
   before = c_signal(signal_file_size, transfer(ignore, c_null_funptr))
   if (c_setrlimit(limit_file_size, limits(bytes, bytes)) /= 0) error stop "setrlimit failed"
end subroutine limit_files

end program full_disk
