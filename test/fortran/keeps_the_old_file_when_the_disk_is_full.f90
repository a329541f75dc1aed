!> Run with test/interpose/full_disk.c preloaded: nothing more than 40,000 bytes fits.
program keeps_the_old_file_when_the_disk_is_full
   use, intrinsic :: iso_fortran_env, only : real64
   use headrace, only : write_array, read_array
   use checks, only : check, check_status, finish
   implicit none
   integer, parameter :: no_space = 28
   real(real64) :: old(2000), new(5000), found(2000)
   character(len=400) :: message
   integer :: stat

   call random_number(old)
   new = 0
   call write_array("full_disk.raw", old)
   call write_array("full_disk.raw", new, iostat=stat, iomsg=message)
   call check_status(stat, no_space, message, "byte 24000")
   call check(index(message, "No space left on device") > 0, "the message names the reason")
   call read_array("full_disk.raw", found, iostat=stat, iomsg=message)
   call check(stat == 0, "the old file has its old size")
   call check(all(found == old), "the old file has its old values")
   call finish()
end program keeps_the_old_file_when_the_disk_is_full
