!> What the benchmarks share: arguments, medians, the processor's name, files out of the way.
module bench_tools
   use, intrinsic :: iso_fortran_env, only : int64, real64
   implicit none
   private

   public :: median, number_argument, processor, remove, seconds_since, text_argument

contains

!> An argument of the command line, or what stands for one that is not there
function text_argument(position, otherwise) result(text)
   integer, intent(in) :: position
   character(len=*), intent(in) :: otherwise
   character(len=:), allocatable :: text
   integer :: length

   text = otherwise
   if (command_argument_count() < position) return
   call get_command_argument(position, length=length)
   deallocate(text)
   allocate(character(len=length) :: text)
   call get_command_argument(position, text)
end function text_argument

function number_argument(position, otherwise) result(number)
   integer, intent(in) :: position, otherwise
   integer :: number
   character(len=:), allocatable :: text

   number = otherwise
   text = text_argument(position, "")
   if (len(text) > 0) read(text, *) number
end function number_argument

subroutine remove(name)
   character(len=*), intent(in) :: name
   integer :: unit, stat

   open(newunit=unit, file=name, status="old", iostat=stat)
   if (stat == 0) close(unit, status="delete")
end subroutine remove

function seconds_since(start) result(seconds)
   integer(int64), intent(in) :: start
   real(real64) :: seconds
   integer(int64) :: now, rate

   call system_clock(now, rate)
   seconds = real(now - start, real64)/real(rate, real64)
end function seconds_since

pure function median(values) result(middle)
   real(real64), intent(in) :: values(:)
   real(real64) :: middle
   integer :: i, half

   half = (size(values) - 1)/2
   middle = values(1)
   do i = 2, size(values)
      if (count(values < values(i)) <= half .and. count(values <= values(i)) > half) then
         middle = values(i)
      end if
   end do
end function median

!> As /proc/cpuinfo has it: "AMD EPYC, family 25, model 17"
function processor() result(name)
   character(len=:), allocatable :: name
   character(len=200) :: line
   character(len=16), parameter :: labels(3) = [character(len=16) :: &
         & "model name", "cpu family", "model"]
   character(len=60) :: found(3)
   integer :: unit, stat, tab, i

   found = "unknown"
   open(newunit=unit, file="/proc/cpuinfo", status="old", action="read", iostat=stat)
   do while (stat == 0)
      read(unit, "(a)", iostat=stat) line
      tab = index(line, achar(9))
      if (stat /= 0 .or. tab < 2) cycle
      do i = 1, 3
         if (line(:tab - 1) == labels(i)) found(i) = adjustl(line(index(line, ":") + 1:))
      end do
   end do
   close(unit)
   name = trim(found(1))//", family "//trim(found(2))//", model "//trim(found(3))
end function processor

end module bench_tools
