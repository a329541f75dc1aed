program flags_after_writes
   use, intrinsic :: ieee_exceptions
   implicit none
   integer :: i
   character(30) :: text
   real(8) :: x
   open (10, file="a.txt")
   do i = 1, 30
      x = 1.1d0**(i * 20) / 3
      call ieee_set_flag(ieee_all, .false.)
      write (10, "(f12.3)") x
      call show("f")
      write (10, "(es12.3)") x
      call show("es")
      write (10, *) x
      call show("list")
      write (10, *) i, real(x * 1d-30)
      call show("mixed")
      write (text, "(g0)") x
      call show("internal")
      read (text, *) x
      call show("read")
      write (10, "(i5,a)") i, "x"
      call show("integer")
   end do
contains
subroutine show(what)
   character(*), intent(in) :: what
   logical :: flags(5)
   call ieee_get_flag(ieee_all, flags)
   write (*, "(a,5l2)") what, flags
   call ieee_set_flag(ieee_all, .false.)
end subroutine show
end program flags_after_writes
