program rounding_modes
   use, intrinsic :: ieee_arithmetic
   implicit none
   type(ieee_round_type) :: mode
   integer :: i
   real(8) :: x
   open (10, file="a.txt")
   do i = 1, 40
      select case (mod(i, 4))
      case (0); call ieee_set_rounding_mode(ieee_nearest)
      case (1); call ieee_set_rounding_mode(ieee_up)
      case (2); call ieee_set_rounding_mode(ieee_down)
      case (3); call ieee_set_rounding_mode(ieee_to_zero)
      end select
      x = i * 0.22d0
      write (10, "(f5.1,es12.3,g12.4)") x, -x, x / 7
      write (10, *) x, real(x)
      call ieee_get_rounding_mode(mode)
      write (10, *) mode == ieee_up
   end do
end program rounding_modes
