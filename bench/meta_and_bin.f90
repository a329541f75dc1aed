!> A pair of files: a text that describes the array, and the pure data.
!>
!> This is what Küster and Altmann (HLRS) recommend. The program they print opens the data file
!> without form="unformatted", so its WRITE fails. `file`.meta names the data file and its extents.
module meta_and_bin_mechanisms
   use, intrinsic :: iso_fortran_env, only : int64, real64
   use harness, only : refuse, total_count
   implicit none
   public

contains

!> The data file holds the bytes of the array and nothing else
subroutine open_pair_stream(file, status, unit)
   character(len=*), intent(in) :: file, status
   integer, intent(out) :: unit
   character(len=len(file)) :: bin_file

   call transfer_meta(file, status, bin_file)
   open(newunit=unit, file=bin_file, form="unformatted", access="stream", status=status)
end subroutine open_pair_stream

!> The data file is one record, as in the printed program
subroutine open_pair_sequential(file, status, unit)
   character(len=*), intent(in) :: file, status
   integer, intent(out) :: unit
   character(len=len(file)) :: bin_file

   call transfer_meta(file, status, bin_file)
   open(newunit=unit, file=bin_file, form="unformatted", status=status)
end subroutine open_pair_sequential

!> Write or read the description, inside the clock
subroutine transfer_meta(file, status, bin_file)
   character(len=*), intent(in) :: file, status
   character(len=*), intent(out) :: bin_file
   integer(int64) :: extents(2)
   integer :: unit

   open(newunit=unit, file=trim(file) // ".meta", form="formatted", status=status)
   if (status == "replace") then
      bin_file = file
      extents = [3_int64, total_count / 3]
      write (unit, "(a)") trim(bin_file)
      write (unit, *) extents(1)
      write (unit, *) extents(2)
   else
      read (unit, "(a)") bin_file
      read (unit, *) extents(1)
      read (unit, *) extents(2)
      if (product(extents) /= total_count) call refuse("the description does not match the array")
   end if
   close(unit)
end subroutine transfer_meta

subroutine write_pair_stream(array, unit)
   real(real64), intent(in) :: array(:, :)
   integer, intent(in) :: unit

   write (unit) array
end subroutine write_pair_stream

subroutine read_pair_stream(array, unit)
   real(real64), intent(inout) :: array(:, :)
   integer, intent(in) :: unit

   read (unit) array
end subroutine read_pair_stream

subroutine write_pair_sequential(array, unit)
   real(real64), intent(in) :: array(:, :)
   integer, intent(in) :: unit

   write (unit) array
end subroutine write_pair_sequential

subroutine read_pair_sequential(array, unit)
   real(real64), intent(inout) :: array(:, :)
   integer, intent(in) :: unit

   read (unit) array
end subroutine read_pair_sequential

end module meta_and_bin_mechanisms

program meta_and_bin
   use harness, only : add_rows, run_mechanism
   use meta_and_bin_mechanisms
   implicit none

   call add_rows("pair_stream", open_pair_stream, write_pair_stream, read_pair_stream)
   call add_rows("pair_sequential", open_pair_sequential, &
      & write_pair_sequential, read_pair_sequential)
   call run_mechanism()
end program meta_and_bin
