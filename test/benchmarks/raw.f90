!> Raw files of one large real64 array and of a section of it: write_array and read_array, the
!> compiler's own stream statements, and write(2) and read(2) called directly (whole array only).
!> Rounds are interleaved, medians decide. Files are fresh, reads hot, arrays touched.
!>
!>     headrace_bench_raw [directory [MiB [rounds]]]
program headrace_bench_raw
   use, intrinsic :: iso_c_binding, only : c_int, c_loc, c_null_char, c_size_t
   use, intrinsic :: iso_fortran_env, only : int64, real64
   use bench_tools, only : median, number_argument, processor, remove, seconds_since, &
         & text_argument
   use headrace, only : write_array, read_array
   use posix_calls, only : posix_creat, posix_open, posix_write, posix_read, posix_close
   implicit none

   integer, parameter :: headrace_way = 1, stream_way = 2, posix_way = 3
   character(len=*), parameter :: names(3) = [character(len=24) :: &
         & "headrace", "stream, whole statement", "write(2), read(2)"]
   real(real64), allocatable, target :: x(:, :), y(:, :)
   real(real64), allocatable :: write_seconds(:, :), read_seconds(:, :)
   character(len=:), allocatable :: file
   integer :: mebibytes, rounds

   file = text_argument(1, "/dev/shm")//"/headrace_bench_raw.raw"
   mebibytes = number_argument(2, 256)
   rounds = number_argument(3, 9)
   allocate(x(16, 8192*mebibytes), y(16, 8192*mebibytes))
   allocate(write_seconds(rounds, 3), read_seconds(rounds, 3))
   call random_number(x)
   print "(a)", processor()

   call compare("whole array x(:, :)", [headrace_way, stream_way, posix_way], every=1)
   call compare("section x(::2, :)", [headrace_way, stream_way], every=2)

contains

!> Time the ways in turn, round by round, and print their medians
subroutine compare(title, ways, every)
   character(len=*), intent(in) :: title
   integer, intent(in) :: ways(:)
   !> Stride along the first dimension
   integer, intent(in) :: every
   integer :: round, i
   real(real64) :: useful

   useful = real(mebibytes, real64)/every
   do round = 1, rounds
      do i = 1, size(ways)
         call remove(file)
         y = 0
         write_seconds(round, ways(i)) = seconds_to_write(ways(i), every)
         read_seconds(round, ways(i)) = seconds_to_read(ways(i), every)
         if (maxval(abs(x(::every, :) - y(::every, :))) > 0) error stop "not what was written"
      end do
   end do
   call remove(file)

   print "(/, a, 2(1x, i0, a))", title, nint(useful), " MiB,", rounds, " rounds, medians"
   print "(a24, 4a12)", "", "write MiB/s", "read MiB/s", "write ratio", "read ratio"
   do i = 1, size(ways)
      print "(a24, 2i12, 2f12.2)", names(ways(i)), nint(useful/median(write_seconds(:, ways(i)))), &
            & nint(useful/median(read_seconds(:, ways(i)))), &
            & median(write_seconds(:, ways(i)))/median(write_seconds(:, headrace_way)), &
            & median(read_seconds(:, ways(i)))/median(read_seconds(:, headrace_way))
   end do
   print "(a)", "ratio: time of this way, headrace = 1"
end subroutine compare

function seconds_to_write(way, every) result(seconds)
   integer, intent(in) :: way, every
   real(real64) :: seconds
   integer(int64) :: start
   integer :: unit

   call system_clock(start)
   select case (way)
   case (headrace_way)
      call write_array(file, x(::every, :))
   case (stream_way)
      open(newunit=unit, file=file, access="stream", form="unformatted", status="replace", &
            & action="write")
      if (every == 1) then
         write(unit) x
      else
         write(unit) x(::every, :)
      end if
      close(unit)
   case default
      call transfer_bytes(posix_creat(file//c_null_char, int(o"644", c_int)), writes=.true.)
   end select
   seconds = seconds_since(start)
end function seconds_to_write

function seconds_to_read(way, every) result(seconds)
   integer, intent(in) :: way, every
   real(real64) :: seconds
   integer(int64) :: start
   integer :: unit

   call system_clock(start)
   select case (way)
   case (headrace_way)
      call read_array(file, y(::every, :))
   case (stream_way)
      open(newunit=unit, file=file, access="stream", form="unformatted", status="old", &
            & action="read")
      if (every == 1) then
         read(unit) y
      else
         read(unit) y(::every, :)
      end if
      close(unit)
   case default
      call transfer_bytes(posix_open(file//c_null_char, 0_c_int), writes=.false.)
   end select
   seconds = seconds_since(start)
end function seconds_to_read

!> Write x or read y in blocks of 1 MiB
subroutine transfer_bytes(descriptor, writes)
   integer(c_int), intent(in) :: descriptor
   logical, intent(in) :: writes
   integer(c_size_t), parameter :: block_bytes = 2_c_size_t**20
   integer(c_size_t) :: moved
   integer :: block_number, column

   do block_number = 1, mebibytes
      column = (block_number - 1)*8192 + 1
      if (writes) then
         moved = posix_write(descriptor, c_loc(x(1, column)), block_bytes)
      else
         moved = posix_read(descriptor, c_loc(y(1, column)), block_bytes)
      end if
      if (moved /= block_bytes) error stop "a block was not moved whole"
   end do
   if (posix_close(descriptor) /= 0) error stop "close failed"
end subroutine transfer_bytes

end program headrace_bench_raw
