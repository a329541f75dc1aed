!> Small calls against the compiler's own statements: a row of 10 values a time step, a record of 10
!> real64, files of 10 elements. Ways (small_ways.f90) are interleaved, the least processor time of
!> the rounds decides; every row states its ratio to the statement of the same run.
!>
!>     headrace_bench_small [directory [rounds [calls]]]
program headrace_bench_small
   use, intrinsic :: iso_fortran_env, only : real64
   use bench_tools, only : median, number_argument, processor, text_argument
   use small_ways, only : all_ways, clear, folder, way, x, y
   implicit none

   type(way), allocatable :: ways(:)
   real(real64), allocatable :: seconds(:, :)
   integer :: rounds, calls, round, i, peer

   folder = text_argument(1, "/dev/shm")//"/headrace_bench_small."
   rounds = number_argument(2, 21)
   calls = number_argument(3, 200)
   allocate(ways, source=all_ways())
   allocate(seconds(rounds, size(ways)))
   call random_number(x)
   do round = 0, rounds  ! the first warms up
      do i = 1, size(ways)
         seconds(max(1, round), i) = time_of(ways(i))
      end do
   end do
   call clear()
   print "(a)", processor()
   print "(a34, 3a12)", "10 real64; processor time a call", "median ns", "least ns", "of WRITE"
   peer = 1
   do i = 1, size(ways)
      if (ways(i)%is_peer) peer = i
      print "(a34, 2i12, f12.2)", ways(i)%name, nint(1e9*median(seconds(:, i))/calls), &
            & nint(1e9*minval(seconds(:, i))/calls), minval(seconds(:, i))/minval(seconds(:, peer))
   end do

contains

!> Processor time of many calls of one way
function time_of(one) result(taken)
   type(way), intent(in) :: one
   real(real64) :: taken
   integer :: i
   real(real64) :: start, end

   y = 0
   call one%begin()
   call cpu_time(start)
   do i = 1, calls
      call one%call()
   end do
   call cpu_time(end)
   call one%finish()
   if (one%reads .and. maxval(abs(x - y)) > 0) error stop "not what was written"
   taken = end - start
end function time_of

end program headrace_bench_small
