!run: case type
!run: case middle
!run: case format
!run: case closed
!run: case read
!run: case full
!run: case end
!run: case bad
!run: exit 0
program statements_that_fail
   implicit none
   integer :: i, stat, n
   character(10) :: how, form
   character(100) :: message
   call get_command_argument(1, how)
   open (10, file="a.txt")
   do i = 1, 5
      message = "none"
      stat = 0
      write (10, "(i5)") i
      select case (how)
      case ("type")
         form = "(f8.2)"
         write (10, form, iostat=stat, iomsg=message) i
      case ("middle")
         form = "(i5,a,i5)"
         write (10, form, iostat=stat, iomsg=message) i, i * 1.5, i
      case ("format")
         form = "(i5,q7)"
         write (10, form, iostat=stat, iomsg=message) i, i
      case ("closed")
         read (55, *, iostat=stat, iomsg=message) n
      case ("read")
         open (11, file="b.txt")
         close (11)
         open (11, file="b.txt", action="read")
         write (11, "(i5)", iostat=stat, iomsg=message) i
      case ("full")
         open (11, file="/dev/full")
         write (11, "(a)", iostat=stat, iomsg=message) repeat("x", 3000)
         flush (11, iostat=stat, iomsg=message)
      case ("end")
         read (10, *, iostat=stat, iomsg=message) n
      case ("bad")
         form = "(i5)"
         write (10, form, iostat=stat, iomsg=message, rec=1) n
      end select
      write (*, *) i, stat, trim(message)
      write (10, "(a,i5)", iostat=stat) "after", i
   end do
   if (how == "full") close (11, iostat=stat)
end program statements_that_fail
