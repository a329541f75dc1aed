!> The values with the rows in the first dimension, as other libraries want them. Next: the
!> peer_*.f90, which call this outside the clock.
module text_turned
   use worker_values, only : found, turned, x, y
   implicit none
   private

   public :: turn, turn_back

contains

!> `turned` from `x`
subroutine turn()
   integer :: row

   allocate (turned(size(x, 2), size(x, 1)))
   do row = 1, size(x, 2)
      turned(row, :) = x(:, row)
   end do
end subroutine turn

!> `y` from `found`, which is gone afterwards; of another shape when `found` is
subroutine turn_back()
   integer :: row

   if (.not. allocated(found)) error stop "nothing was read"
   if (size(found, 1) /= size(y, 2) .or. size(found, 2) /= size(y, 1)) then
      error stop "an array of another shape was read"
   end if
   do row = 1, size(y, 2)
      y(:, row) = found(row, :)
   end do
   deallocate (found)
end subroutine turn_back

end module text_turned
