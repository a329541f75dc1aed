!> Direct access files are byte for byte those of this compiler, which reads and changes ours.
program binary_direct_records_are_what_fortran_writes
   use, intrinsic :: iso_fortran_env, only : int32, int64, real64
   use headrace, only : hr_stat, read_array, write_array
   use checks, only : check, check_status, finish
   implicit none

   real(real64) :: x(5, 6), y(5, 6)

   call random_number(x)
   call one_record()
   call a_record_for_each_column()
   call a_short_last_record()
   call records_are_changed()
   call failures_are_named()
   call finish()

contains

!> The whole array in one statement
subroutine one_record()
   integer :: unit

   open(newunit=unit, file="one.f", access="direct", recl=240, status="replace")
   write(unit, rec=1) x
   close(unit)
   call write_array("one.da", x, record_length=240)
   call check(same_bytes("one.f", "one.da"), "one record")
end subroutine one_record

!> A statement for each record
subroutine a_record_for_each_column()
   integer :: unit, i

   open(newunit=unit, file="columns.f", access="direct", recl=40, status="replace")
   do i = 1, 6
      write(unit, rec=i) x(:, i)
   end do
   close(unit)
   call write_array("columns.da", x, record_length=40_int64)
   call check(same_bytes("columns.f", "columns.da"), "a record for each column")
   y = 0
   call read_array("columns.f", y, format="direct", record_length=40)
   call check(all(x == y), "the records of Fortran")
   y = 0
   open(newunit=unit, file="columns.da", access="direct", recl=40, status="old", action="read")
   do i = 6, 1, -1
      read(unit, rec=i) y(:, i)
   end do
   close(unit)
   call check(all(x == y), "our records, backwards")
end subroutine a_record_for_each_column

!> A record that is longer than its items, behind others and behind a gap
subroutine a_short_last_record()
   integer :: unit

   open(newunit=unit, file="short.f", access="direct", recl=64, status="replace")
   write(unit, rec=1) x(1:5, 1), x(1:3, 2)
   write(unit, rec=2) x(4:5, 2)
   write(unit, rec=4) x(1, 1)
   close(unit)
   call write_array("short.da", x(:, 1:2), record_length=64)
   call write_array("short.da", x(1:1, 1), record_length=64, record=4)
   call check(same_bytes("short.f", "short.da"), "a record that is not full, and a gap")
end subroutine a_short_last_record

!> Others stay
subroutine records_are_changed()
   integer(int32) :: values(12), found(3)
   integer :: unit, i

   values = [(i, i=1, 12)]
   call write_array("changed.da", values, record_length=12)
   call write_array("changed.da", -values(:6), record_length=12, record=2)
   open(newunit=unit, file="changed.f", access="direct", recl=12, status="replace")
   do i = 1, 4
      write(unit, rec=i) values(3 * i - 2:3 * i)
   end do
   write(unit, rec=2) -values(:3)
   write(unit, rec=3) -values(4:6)
   close(unit)
   call check(same_bytes("changed.f", "changed.da"), "changed records")
   call read_array("changed.f", found, format="direct", record_length=12, record=3_int64)
   call check(all(found == [-4, -5, -6]), "one record")
end subroutine records_are_changed

!> What is not there
subroutine failures_are_named()
   character(len=300) :: message
   integer :: stat

   call read_array("one.da", y, record_length=240, record=2, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%record_missing, message, "expected record 2 of 240 bytes")
   call read_array("one.da", y(:, 1), record_length=100, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%truncated_record, message, "not a whole number of records")
   call read_array("one.da", y, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%argument_invalid, message, "needs record_length=")
end subroutine failures_are_named

!> Two files hold the same
logical function same_bytes(first, second) result(same)
   !> Their names
   character(len=*), intent(in) :: first, second
   character(len=1), allocatable :: a(:), b(:)

   allocate(a, source=content(first))
   allocate(b, source=content(second))
   same = size(a) == size(b)
   if (same) same = all(a == b)
end function same_bytes

!> All bytes of a file
function content(file) result(bytes)
   !> Its name
   character(len=*), intent(in) :: file
   character(len=1), allocatable :: bytes(:)
   integer :: unit, count

   open(newunit=unit, file=file, access="stream", form="unformatted", action="read", status="old")
   inquire(unit, size=count)
   allocate(bytes(count))
   read(unit) bytes
   close(unit)
end function content

end program binary_direct_records_are_what_fortran_writes
