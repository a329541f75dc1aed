program open_modes_changed
   implicit none
   integer :: i
   open (10, file="a.txt")
   do i = 1, 24
      select case (mod(i, 4))
      case (0); open (10, decimal="comma")
      case (1); open (10, decimal="point", sign="plus")
      case (2); open (10, sign="suppress", delim="quote")
      case (3); open (10, delim="none", round="zero")
      end select
      write (10, *) i, i * 0.3d0, "text"
      write (10, "(f6.1,i4)") i * 0.37, i
   end do
end program open_modes_changed
