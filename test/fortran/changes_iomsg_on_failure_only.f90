program changes_iomsg_on_failure_only
   use headrace, only : write_array, read_array, hr_stat
   use checks, only : check, finish
   implicit none
   character(len=40), parameter :: before = "nobody has written here"
   character(len=40) :: message
   character(len=400) :: long
   character(len=9) :: short
   character(len=0) :: nothing
   character(len=:), allocatable :: deferred
   real :: x(3)
   integer :: stat

   x = 1
   message = before
   stat = -99
   call write_array("iomsg.raw", x, iostat=stat, iomsg=message)
   call check(stat == 0, "success is 0")
   call check(message == before, "success leaves iomsg")
   call read_array("iomsg.raw", x, iostat=stat, iomsg=message)
   call check(stat == 0 .and. message == before, "reading with success leaves iomsg")
   call read_array("iomsg.raw", x, iomsg=message)
   call check(message == before, "iomsg without iostat is allowed")

   long = repeat("#", len(long))
   call write_array("iomsg.unknown", x, iostat=stat, iomsg=long)
   call check(index(long, "#") == 0 .and. long(len(long):) == " ", "the rest of iomsg is blank")
   call check(index(long, "(format_unknown)") > 0, "a message ends with the name of the status")
   short = repeat("#", len(short))
   call write_array("iomsg.unknown", x, iostat=stat, iomsg=short)
   call check(short == long(:len(short)), "a short iomsg holds the beginning")
   call write_array("iomsg.unknown", x, iostat=stat, iomsg=nothing)
   call check(stat == hr_stat%format_unknown, "an iomsg of no characters is allowed")
   deferred = repeat("#", 30)
   call write_array("iomsg.unknown", x, iostat=stat, iomsg=deferred)
   call check(deferred == long(:30), "deferred length is kept")
   call finish()
end program changes_iomsg_on_failure_only
