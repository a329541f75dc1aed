!> Run with test/interpose/full_disk.c preloaded: nothing more than 40,000 bytes fits.
program binary_unformatted_append_keeps_records_on_a_full_disk
   use, intrinsic :: iso_fortran_env, only : real64
   use headrace, only : write_array, read_array
   use checks, only : check, check_status, finish
   implicit none
   integer, parameter :: no_space = 28
   character(len=*), parameter :: file = "full_disk.unf"
   real(real64) :: old(2000), found(2000)
   character(len=400) :: message
   integer :: stat, size, unit

   call random_number(old)
   call write_array(file, old)
   call write_array(file, old, append="yes")
   call write_array(file, old, append="yes", iostat=stat, iomsg=message)
   call check_status(stat, no_space, message, "No space left on device")
   inquire(file=file, size=size)
   call check(size == 2*16008, "the file is cut back to its old size")
   call read_array(file, found, record=2, iostat=stat, iomsg=message)
   call check(stat == 0 .and. all(found == old), "the last old record is there")
   call write_array(file, old(:10), iostat=stat, iomsg=message)
   call check(stat == no_space, "a new file does not fit either")
   found = 0
   open(newunit=unit, file=file, form="unformatted", status="old", action="read")
   read(unit)
   read(unit, iostat=stat) found
   call check(stat == 0 .and. all(found == old), "the compiler's READ finds it too")
   read(unit, iostat=stat)
   call check(is_iostat_end(stat), "and nothing behind it")
   close(unit)
   call finish()
end program binary_unformatted_append_keeps_records_on_a_full_disk
