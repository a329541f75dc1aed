!run: exit 2
!run: errors
! Formats without a field for an item: an error of the run time, also behind many statements.
program item_without_a_field
   implicit none
   integer :: i, status
   character(20) :: text
   character(70) :: message
   open (10, file="item.txt")
   do i = 1, 40
      message = ""
      write (10, "('abc')", iostat=status, iomsg=message) i
      print "(i0,1x,a)", status, trim(message)
      text = "before"
      write (text, "('abc')", iostat=status, iomsg=message) i
      print "(i0,1x,2a)", status, message, text
      write (10, "(i3,('abc'))", iostat=status, iomsg=message) i, i
      print "(i0,1x,a)", status, trim(message)
      write (10, "('abc')", iostat=status, iomsg=message) [i, i]
      print "(i0,1x,a)", status, trim(message)
      write (text, "(i3,:,('abc'))", iostat=status, iomsg=message) i, i
      print "(i0,1x,2a)", status, message, text
   end do
   write (10, "('abc')") i
end program item_without_a_field
