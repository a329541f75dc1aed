! A width of zero is an error of the whole format in READ, also if no item comes to it.
program zero_widths
   implicit none
   integer :: stat, i, k
   real :: x
   character(100) :: message
   character(12) :: text = "1234567890"
   character(12) :: forms(4) = ["(i3,i0)     ", "(g12.4,g0)  ", "(f0.2)      ", "(i3,f5.0,a) "]
   do i = 1, 20
      k = -1
      x = -1
      message = " "
      read (text, forms(1), iostat=stat, iomsg=message) k
      print *, stat, k, trim(message)
      read (text, forms(2), iostat=stat, iomsg=message)
      print *, stat, trim(message)
      read (text, forms(3), iostat=stat, iomsg=message) x
      print *, stat, x, trim(message)
      read (text, forms(4), iostat=stat, iomsg=message) k, x
      print *, stat, k, x, trim(message)
   end do
end program zero_widths
