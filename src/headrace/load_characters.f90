!> load_array for characters: they get the length of the longest cell.
!>
!> Fortran allocates them: where a bind(c) procedure does, gfortran 12 loses the distance between
!> elements. Characters of a length of their own cannot be told from these by a generic; a bind(c)
!> interface for them is refused: "Allocatable character dummy argument 'array' at (1) must have
!> deferred length".
!>
!> Next: load_fit.inc, what all ranks of array do before they allocate.
module headrace_load_characters
   use, intrinsic :: iso_c_binding, only : c_char, c_int, c_size_t
   use headrace_kept_text, only : report_failure
   use headrace_load_steps, only : array_type => character_type, fit_to_file, hr_fortran_fill, &
      & load_request, text_place
   implicit none
   private

   public :: load_array

   interface load_array
      module procedure load_1, load_2, load_3, load_4, load_5, load_6, load_7
   end interface load_array

   integer(c_size_t), parameter :: element = 0

contains

!> Array rank 1
subroutine load_1(file, array, number, delimiter, decimal, header, comment, skip_rows, columns, &
      & missing, threads, format, byte_order, record_marker, name, iostat, iomsg)
   character(len=:), allocatable, intent(out) :: array(:)
   include "load_fit.inc"
   if (stat == 0) allocate(character(len=length) :: array(extent(1)), stat=stat)
   include "load_fill.inc"
end subroutine load_1

!> Array rank 2
subroutine load_2(file, array, number, delimiter, decimal, header, comment, skip_rows, columns, &
      & missing, threads, format, byte_order, record_marker, name, iostat, iomsg)
   character(len=:), allocatable, intent(out) :: array(:, :)
   include "load_fit.inc"
   if (stat == 0) allocate(character(len=length) :: array(extent(1), extent(2)), stat=stat)
   include "load_fill.inc"
end subroutine load_2

!> Array rank 3
subroutine load_3(file, array, number, delimiter, decimal, header, comment, skip_rows, columns, &
      & missing, threads, format, byte_order, record_marker, name, iostat, iomsg)
   character(len=:), allocatable, intent(out) :: array(:, :, :)
   include "load_fit.inc"
   if (stat == 0) allocate(character(len=length) :: array(extent(1), extent(2), &
      & extent(3)), stat=stat)
   include "load_fill.inc"
end subroutine load_3

!> Array rank 4
subroutine load_4(file, array, number, delimiter, decimal, header, comment, skip_rows, columns, &
      & missing, threads, format, byte_order, record_marker, name, iostat, iomsg)
   character(len=:), allocatable, intent(out) :: array(:, :, :, :)
   include "load_fit.inc"
   if (stat == 0) allocate(character(len=length) :: array(extent(1), extent(2), extent(3), &
      & extent(4)), stat=stat)
   include "load_fill.inc"
end subroutine load_4

!> Array rank 5
subroutine load_5(file, array, number, delimiter, decimal, header, comment, skip_rows, columns, &
      & missing, threads, format, byte_order, record_marker, name, iostat, iomsg)
   character(len=:), allocatable, intent(out) :: array(:, :, :, :, :)
   include "load_fit.inc"
   if (stat == 0) allocate(character(len=length) :: array(extent(1), extent(2), extent(3), &
      & extent(4), extent(5)), stat=stat)
   include "load_fill.inc"
end subroutine load_5

!> Array rank 6
subroutine load_6(file, array, number, delimiter, decimal, header, comment, skip_rows, columns, &
      & missing, threads, format, byte_order, record_marker, name, iostat, iomsg)
   character(len=:), allocatable, intent(out) :: array(:, :, :, :, :, :)
   include "load_fit.inc"
   if (stat == 0) allocate(character(len=length) :: array(extent(1), extent(2), extent(3), &
      & extent(4), extent(5), extent(6)), stat=stat)
   include "load_fill.inc"
end subroutine load_6

!> Array rank 7
subroutine load_7(file, array, number, delimiter, decimal, header, comment, skip_rows, columns, &
      & missing, threads, format, byte_order, record_marker, name, iostat, iomsg)
   character(len=:), allocatable, intent(out) :: array(:, :, :, :, :, :, :)
   include "load_fit.inc"
   if (stat == 0) allocate(character(len=length) :: array(extent(1), extent(2), extent(3), &
      & extent(4), extent(5), extent(6), extent(7)), stat=stat)
   include "load_fill.inc"
end subroutine load_7

end module headrace_load_characters
