!> Unformatted records in the other byte order. CONVERT= is an extension that most compilers share.
module byte_order_mechanisms
   use, intrinsic :: iso_fortran_env, only : real64
   implicit none
   public

contains

subroutine open_big_endian(file, status, unit)
   character(len=*), intent(in) :: file, status
   integer, intent(out) :: unit

   open(newunit=unit, file=file, form="unformatted", convert="big_endian", status=status)
end subroutine open_big_endian

subroutine write_whole(array, unit)
   real(real64), intent(in) :: array(:, :)
   integer, intent(in) :: unit

   write (unit) array
end subroutine write_whole

subroutine read_whole(array, unit)
   real(real64), intent(inout) :: array(:, :)
   integer, intent(in) :: unit

   read (unit) array
end subroutine read_whole

end module byte_order_mechanisms

program byte_order
   use harness, only : add_rows, run_mechanism
   use byte_order_mechanisms
   implicit none

   call add_rows("whole", open_big_endian, write_whole, read_whole)
   call run_mechanism()
end program byte_order
