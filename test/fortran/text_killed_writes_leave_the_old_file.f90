!> Functions of the C library that start and kill a process.
module processes
   use, intrinsic :: iso_c_binding, only : c_funptr, c_int
   implicit none
   private

   public :: end_now, fork, kill, set_handler, sleep_microseconds, wait_for

   interface
      function fork() bind(c, name="fork") result(process)
         import :: c_int
         implicit none
         integer(c_int) :: process
      end function fork

      function kill(process, number) bind(c, name="kill") result(failed)
         import :: c_int
         implicit none
         integer(c_int), value, intent(in) :: process, number
         integer(c_int) :: failed
      end function kill

      function wait_for(process, ended, flags) bind(c, name="waitpid") result(found)
         import :: c_int
         implicit none
         integer(c_int), value, intent(in) :: process
         integer(c_int), intent(out) :: ended
         integer(c_int), value, intent(in) :: flags
         integer(c_int) :: found
      end function wait_for

      function set_handler(number, handler) bind(c, name="signal") result(old)
         import :: c_funptr, c_int
         implicit none
         integer(c_int), value, intent(in) :: number
         type(c_funptr), value, intent(in) :: handler
         type(c_funptr) :: old
      end function set_handler

      function sleep_microseconds(time) bind(c, name="usleep") result(failed)
         import :: c_int
         implicit none
         integer(c_int), value, intent(in) :: time
         integer(c_int) :: failed
      end function sleep_microseconds

      subroutine end_now(code) bind(c, name="_exit")
         import :: c_int
         implicit none
         integer(c_int), value, intent(in) :: code
      end subroutine end_now
   end interface

end module processes

!> Writes that take longer than the signal.
module long_writes
   use, intrinsic :: iso_c_binding, only : c_int, c_int64_t
   use, intrinsic :: iso_fortran_env, only : real64
   use headrace, only : open_text, text_writer, write_array, write_rows
   use processes, only : sleep_microseconds
   implicit none
   private

   public :: write_for_long

contains

!> Write by rows, or a whole array through a format
subroutine write_for_long(file, by_rows)
   character(len=*), intent(in) :: file
   logical, intent(in) :: by_rows
   real(real64), allocatable :: x(:)
   type(text_writer) :: out
   integer :: stat

   if (by_rows) then
      allocate(x(100000), source=0.1_real64)
      call open_text(out, file, progress=wait_in_the_middle)
      call write_rows(out, x, iostat=stat)
   else
      allocate(x(40000000))   ! any values will do: what is not touched takes no memory
      call write_array(file, x, edit="(g0)", threads=1, iostat=stat)
   end if
end subroutine write_for_long

!> Waits for the signal, a minute at most
function wait_in_the_middle(done, total) bind(c) result(go_on)
   integer(c_int64_t), value, intent(in) :: done, total
   integer(c_int) :: go_on
   integer :: i

   go_on = 1
   if (done < 100000 .or. total /= 0) return
   do i = 1, 6000
      if (sleep_microseconds(10000_c_int) /= 0) exit
   end do
end function wait_in_the_middle

end module long_writes

!> A program that is killed while it writes leaves the old file whole, and a temporary beside it.
program text_killed_writes_leave_the_old_file
   use, intrinsic :: iso_c_binding, only : c_funptr, c_int, c_null_funptr
   use checks, only : check, finish
   use long_writes, only : write_for_long
   use processes, only : end_now, fork, kill, set_handler, sleep_microseconds, wait_for
   implicit none

   integer(c_int), parameter :: at_once = 1   ! WNOHANG
   integer(c_int), parameter :: signals(3) = [2_c_int, 15_c_int, 9_c_int]   ! INT, TERM, KILL
   integer :: i

   do i = 1, size(signals)
      call kill_while_writing("old.csv", signals(i), by_rows=.true.)
      call kill_while_writing("old.dat", signals(i), by_rows=.false.)
   end do
   call finish()

contains

!> Send a signal when the temporary file has grown; the old file must be as before
subroutine kill_while_writing(file, signal, by_rows)
   character(len=*), intent(in) :: file
   integer(c_int), intent(in) :: signal
   logical, intent(in) :: by_rows
   character(len=100) :: temporary
   type(c_funptr) :: old
   integer(c_int) :: process, ended, found
   integer :: unit, bytes, waited

   open(newunit=unit, file=file, status="replace", action="write")
   write(unit, "(a)") "1.5", "2.5"
   close(unit)
   process = fork()
   if (process == 0) then
      if (signal /= 9) old = set_handler(signal, c_null_funptr)   ! a shell may have had it ignored
      call write_for_long(file, by_rows)
      call end_now(0_c_int)
   end if
   temporary = file//".headrace-0.tmp"
   do waited = 1, 60000
      inquire(file=trim(temporary), size=bytes)
      found = wait_for(process, ended, at_once)
      if (bytes >= 100000 .or. found /= 0) exit
      found = sleep_microseconds(1000_c_int)
   end do
   call check(found == 0, "the program writes when the signal comes")
   if (kill(process, signal) == 0) found = wait_for(process, ended, 0_c_int)
   call check(iand(ended, 127) == signal, "the signal ends the program")
   call check(content(file) == "1.5 2.5", "the old file is whole")
   inquire(file=trim(temporary), size=bytes)
   call check(bytes > 0, "the temporary file is named after the file")
   open(newunit=unit, file=trim(temporary))
   close(unit, status="delete")
end subroutine kill_while_writing

!> All lines of a short file, a blank between them
function content(file) result(lines)
   character(len=*), intent(in) :: file
   character(len=40) :: lines, line
   integer :: unit, stat

   lines = ""
   open(newunit=unit, file=file, action="read")
   do
      read(unit, "(a)", iostat=stat) line
      if (stat /= 0) exit
      lines = adjustl(trim(lines)//" "//line)
   end do
   close(unit)
end function content

end program text_killed_writes_leave_the_old_file
