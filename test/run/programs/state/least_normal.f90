! What is rounded to the least normal number raises IEEE_UNDERFLOW in the run time.
program least_normal
   use, intrinsic :: ieee_exceptions
   implicit none
   real(4) :: z
   real(8) :: x
   logical :: flag
   character(40) :: text
   integer :: i
   open (10, file="o.txt")
   do i = 1, 3
      text = "1.17549429e-38"
      call ieee_set_flag(ieee_underflow, .false.)
      read (text, *) z
      call ieee_get_flag(ieee_underflow, flag)
      write (10, *) z, flag
      call ieee_set_flag(ieee_underflow, .false.)
      text = "2.22507385850720137e-308"
      read (text, *) x
      call ieee_get_flag(ieee_underflow, flag)
      write (10, *) x, flag
   end do
end program least_normal
