!> What the harness needs from the operating system: clocks, counters, page cache. Next:
!> payload.f90.
!>
!> Everything goes through the C library, so that a Fortran compiler is all a user must have.
module harness_posix
   use, intrinsic :: iso_c_binding, only : c_associated, c_char, c_f_pointer, c_int, c_int8_t, &
      & c_loc, c_long, c_null_char, c_null_ptr, c_ptr, c_size_t
   use, intrinsic :: iso_fortran_env, only : int64, real64
   implicit none
   private

   public :: usage, usage_now, seconds_now, sleep_until
   public :: memory_now, reset_peak_memory, flush_to_device, evict_pages, resident_share, &
      & delete_file

   !> Counters of this process at one moment
   type :: usage
      !> Seconds of CLOCK_MONOTONIC
      real(real64) :: wall = 0
      !> Seconds of processor time in user mode and in the kernel
      real(real64) :: user = 0, system = 0
      !> System calls that read or wrote (syscr + syscw of /proc/self/io); -1 if the kernel does
      !> not count them
      integer(int64) :: calls = -1
      !> Page faults that needed no device
      integer(int64) :: faults = 0
   end type usage

   type, bind(c) :: time_spec
      integer(c_long) :: seconds = 0, nanoseconds = 0
   end type time_spec

   ! struct rusage of Linux: two timevals and fourteen longs
   type, bind(c) :: resource_usage
      integer(c_long) :: user_seconds = 0, user_microseconds = 0
      integer(c_long) :: system_seconds = 0, system_microseconds = 0
      integer(c_long) :: maximum_resident = 0, shared = 0, data = 0, stack = 0, minor_faults = 0
      integer(c_long) :: rest(9) = 0
   end type resource_usage

   integer(c_int), parameter :: clock_monotonic = 1, timer_absolute = 1, usage_self = 0
   integer(c_int), parameter :: read_only = 0, write_only = 1, advice_dontneed = 4
   integer(c_int), parameter :: protect_read = 1, map_shared = 1
   integer(c_size_t), parameter :: page = 4096

   interface
      integer(c_int) function c_clock_gettime(clock, time) bind(c, name="clock_gettime")
         import :: c_int, time_spec
         integer(c_int), value :: clock
         type(time_spec), intent(out) :: time
      end function c_clock_gettime
      integer(c_int) function c_clock_nanosleep(clock, flags, time, rest) &
         & bind(c, name="clock_nanosleep")
         import :: c_int, c_ptr, time_spec
         integer(c_int), value :: clock, flags
         type(time_spec), intent(in) :: time
         type(c_ptr), value :: rest
      end function c_clock_nanosleep
      integer(c_int) function c_getrusage(who, values) bind(c, name="getrusage")
         import :: c_int, resource_usage
         integer(c_int), value :: who
         type(resource_usage), intent(out) :: values
      end function c_getrusage
      integer(c_int) function c_open(path, flags) bind(c, name="open")
         import :: c_char, c_int
         character(kind=c_char), intent(in) :: path(*)
         integer(c_int), value :: flags
      end function c_open
      integer(c_int) function c_close(descriptor) bind(c, name="close")
         import :: c_int
         integer(c_int), value :: descriptor
      end function c_close
      integer(c_long) function c_read(descriptor, buffer, bytes) bind(c, name="read")
         import :: c_char, c_int, c_long, c_size_t
         integer(c_int), value :: descriptor
         character(kind=c_char), intent(inout) :: buffer(*)
         integer(c_size_t), value :: bytes
      end function c_read
      integer(c_long) function c_write(descriptor, buffer, bytes) bind(c, name="write")
         import :: c_char, c_int, c_long, c_size_t
         integer(c_int), value :: descriptor
         character(kind=c_char), intent(in) :: buffer(*)
         integer(c_size_t), value :: bytes
      end function c_write
      integer(c_int) function c_fsync(descriptor) bind(c, name="fsync")
         import :: c_int
         integer(c_int), value :: descriptor
      end function c_fsync
      integer(c_int) function c_fadvise(descriptor, offset, length, advice) &
         & bind(c, name="posix_fadvise")
         import :: c_int, c_long
         integer(c_int), value :: descriptor, advice
         integer(c_long), value :: offset, length
      end function c_fadvise
      type(c_ptr) function c_mmap(address, length, protection, flags, descriptor, offset) &
         & bind(c, name="mmap")
         import :: c_int, c_long, c_ptr, c_size_t
         type(c_ptr), value :: address
         integer(c_size_t), value :: length
         integer(c_int), value :: protection, flags, descriptor
         integer(c_long), value :: offset
      end function c_mmap
      integer(c_int) function c_munmap(address, length) bind(c, name="munmap")
         import :: c_int, c_ptr, c_size_t
         type(c_ptr), value :: address
         integer(c_size_t), value :: length
      end function c_munmap
      integer(c_int) function c_mincore(address, length, vector) bind(c, name="mincore")
         import :: c_int, c_int8_t, c_ptr, c_size_t
         type(c_ptr), value :: address
         integer(c_size_t), value :: length
         integer(c_int8_t), intent(out) :: vector(*)
      end function c_mincore
      integer(c_int) function c_truncate(path, bytes) bind(c, name="truncate")
         import :: c_char, c_int, c_long
         character(kind=c_char), intent(in) :: path(*)
         integer(c_long), value :: bytes
      end function c_truncate
      integer(c_int) function c_unlink(path) bind(c, name="unlink")
         import :: c_char, c_int
         character(kind=c_char), intent(in) :: path(*)
      end function c_unlink
   end interface

contains

!> Seconds of CLOCK_MONOTONIC, the same clock in every process of a node
real(real64) function seconds_now() result(seconds)
   type(time_spec) :: time
   integer(c_int) :: status

   status = c_clock_gettime(clock_monotonic, time)
   seconds = real(time%seconds, real64) + 1e-9_real64 * real(time%nanoseconds, real64)
end function seconds_now

!> Sleep until the monotonic clock shows `seconds`
subroutine sleep_until(seconds)
   real(real64), intent(in) :: seconds
   type(time_spec) :: time
   integer(c_int) :: status

   time%seconds = int(seconds, c_long)
   time%nanoseconds = int((seconds - real(time%seconds, real64)) * 1e9_real64, c_long)
   status = c_clock_nanosleep(clock_monotonic, timer_absolute, time, c_null_ptr)
end subroutine sleep_until

!> All counters; the clock is read last when `starting`, first otherwise, so that counting is not
!> timed
type(usage) function usage_now(starting) result(now)
   logical, intent(in) :: starting
   type(resource_usage) :: values
   integer(c_int) :: status

   if (.not. starting) now%wall = seconds_now()
   if (.not. starting) status = c_getrusage(usage_self, values)
   now%calls = system_calls()
   if (starting) status = c_getrusage(usage_self, values)
   now%user = real(values%user_seconds, real64) &
      & + 1e-6_real64 * real(values%user_microseconds, real64)
   now%system = real(values%system_seconds, real64) &
      & + 1e-6_real64 * real(values%system_microseconds, real64)
   now%faults = values%minor_faults
   if (starting) now%wall = seconds_now()
end function usage_now

!> Resident and peak resident memory of this process in bytes; -1 if /proc does not say
subroutine memory_now(resident, peak)
   integer(int64), intent(out) :: resident, peak
   character(len=8192) :: text

   call read_proc("/proc/self/status", text)
   resident = number_after(text, "VmRSS:")
   peak = number_after(text, "VmHWM:")
   if (resident >= 0) resident = resident * 1024
   if (peak >= 0) peak = peak * 1024
end subroutine memory_now

!> Let the peak start anew from what is resident now (Linux: 5 into /proc/self/clear_refs)
subroutine reset_peak_memory()
   integer(c_int) :: descriptor, status
   integer(c_long) :: written

   descriptor = c_open("/proc/self/clear_refs" // c_null_char, write_only)
   if (descriptor < 0) return
   written = c_write(descriptor, "5", 1_c_size_t)
   status = c_close(descriptor)
end subroutine reset_peak_memory

!> fsync: returns when the device has the data of `file`; 0 on success, and if there is no file
!> at all
integer function flush_to_device(file) result(status)
   character(len=*), intent(in) :: file
   integer(c_int) :: descriptor, ignored
   logical :: exists

   inquire(file=file, exist=exists)
   status = 0
   if (.not. exists) return
   descriptor = c_open(trim(file) // c_null_char, read_only)
   status = -1
   if (descriptor < 0) return
   status = c_fsync(descriptor)
   ignored = c_close(descriptor)
end function flush_to_device

!> Write back and drop the pages of `file` from the page cache
subroutine evict_pages(file)
   character(len=*), intent(in) :: file
   integer(c_int) :: descriptor, status

   descriptor = c_open(trim(file) // c_null_char, read_only)
   if (descriptor < 0) return
   status = c_fsync(descriptor)
   status = c_fadvise(descriptor, 0_c_long, 0_c_long, advice_dontneed)
   status = c_close(descriptor)
end subroutine evict_pages

!> Share of the pages of `file` that are in the page cache, 0 to 1; -1 if mincore(2) cannot tell
real(real64) function resident_share(file, bytes) result(share)
   character(len=*), intent(in) :: file
   integer(int64), intent(in) :: bytes
   integer(c_int8_t), allocatable :: vector(:)
   integer(c_int) :: descriptor, status
   type(c_ptr) :: address

   share = -1
   if (bytes <= 0) return
   descriptor = c_open(trim(file) // c_null_char, read_only)
   if (descriptor < 0) return
   address = c_mmap(c_null_ptr, int(bytes, c_size_t), protect_read, map_shared, descriptor, &
      & 0_c_long)
   if (transfer(address, 0_int64) /= -1_int64) then
      allocate(vector((bytes + page - 1) / page))
      status = c_mincore(address, int(bytes, c_size_t), vector)
      if (status == 0) then
         share = real(count(iand(vector, 1_c_int8_t) == 1_c_int8_t), real64) / size(vector)
      end if
      status = c_munmap(address, int(bytes, c_size_t))
   end if
   status = c_close(descriptor)
end function resident_share

!> Delete `file` if it is there and a regular file: unlink(2) by root removes a device as well
subroutine delete_file(file)
   character(len=*), intent(in) :: file
   integer(int64) :: bytes
   integer(c_int) :: status

   inquire(file=file, size=bytes)
   if (bytes < 0) return
   ! truncate(2) to its own length changes no regular file and fails on everything else
   if (c_truncate(trim(file) // c_null_char, int(bytes, c_long)) /= 0) return
   status = c_unlink(trim(file) // c_null_char)
end subroutine delete_file

integer(int64) function system_calls() result(calls)
   character(len=8192) :: text
   integer(int64) :: reads, writes

   call read_proc("/proc/self/io", text)
   reads = number_after(text, "syscr:")
   writes = number_after(text, "syscw:")
   calls = -1
   if (reads >= 0 .and. writes >= 0) calls = reads + writes
end function system_calls

subroutine read_proc(path, text)
   character(len=*), intent(in) :: path
   character(len=*), intent(out) :: text
   integer(c_int) :: descriptor, status
   integer(c_long) :: bytes

   text = " "
   descriptor = c_open(path // c_null_char, read_only)
   if (descriptor < 0) return
   bytes = c_read(descriptor, text, int(len(text), c_size_t))
   status = c_close(descriptor)
end subroutine read_proc

integer(int64) function number_after(text, label) result(number)
   character(len=*), intent(in) :: text, label
   integer :: first, last, status

   number = -1
   first = index(text, label)
   if (first == 0) return
   first = first + len(label)
   last = first + scan(text(first:), new_line("a")) - 2
   if (index(text(first:last), " kB") > 0) last = first + index(text(first:last), " kB") - 2
   read (text(first:last), *, iostat=status) number
   if (status /= 0) number = -1
end function number_after

end module harness_posix
