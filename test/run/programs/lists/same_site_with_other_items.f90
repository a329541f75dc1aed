program same_site_with_other_items
   implicit none
   integer :: i
   real(8) :: x(9)
   open (10, file="a.txt")
   open (11, file="b.txt")
   x = [(i * 0.3d0, i = 1, 9)]
   do i = 1, 60
      write (10 + mod(i, 2), "(3f8.2)") x(1:mod(i, 10))
      write (10 + mod(i, 2), *) x(1:mod(i, 7))
      call put(i, mod(i, 5))
   end do
contains
subroutine put(n, kind)
   integer, intent(in) :: n, kind
   class(*), allocatable :: any
   any = n
   select type (any)
   type is (integer)
      write (10, form(kind)) any
   end select
end subroutine put
function form(kind) result(text)
   integer, intent(in) :: kind
   character(10) :: text
   character(10), parameter :: forms(0:4) = [character(10) :: "(i4)", "(i8.3)", "(g0)", "(b12)", "('i',i0)"]
   text = forms(kind)
end function form
end program same_site_with_other_items
