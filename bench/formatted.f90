!> Text: formatted sequential files.
!>
!> `10e15.5` keeps five digits; `es24.16e3`, list-directed output and `g0` keep all of them.
module formatted_mechanisms
   use, intrinsic :: iso_fortran_env, only : int32, int64, real64
   implicit none
   public

contains

subroutine open_formatted(file, status, unit)
   character(len=*), intent(in) :: file, status
   integer, intent(out) :: unit

   open(newunit=unit, file=file, form="formatted", status=status)
end subroutine open_formatted

subroutine write_list_directed(array, unit)
   real(real64), intent(in) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: i, m

   do i = 1, size(array, 2, int64)
      write (unit, *) (array(m, i), m=1, size(array, 1))
   end do
end subroutine write_list_directed

subroutine read_list_directed(array, unit)
   real(real64), intent(inout) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: i, m

   do i = 1, size(array, 2, int64)
      read (unit, *) (array(m, i), m=1, size(array, 1))
   end do
end subroutine read_list_directed

subroutine write_constant_format(array, unit)
   real(real64), intent(in) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: i, m

   do i = 1, size(array, 2, int64)
      write (unit, "(10e15.5)") (array(m, i), m=1, size(array, 1))
   end do
end subroutine write_constant_format

subroutine read_constant_format(array, unit)
   real(real64), intent(inout) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: i, m

   do i = 1, size(array, 2, int64)
      read (unit, "(10e15.5)") (array(m, i), m=1, size(array, 1))
   end do
end subroutine read_constant_format

subroutine write_labelled_format(array, unit)
   real(real64), intent(in) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: i, m

   do i = 1, size(array, 2, int64)
      write (unit, 100) (array(m, i), m=1, size(array, 1))
   end do
100 format (10e15.5)
end subroutine write_labelled_format

subroutine read_labelled_format(array, unit)
   real(real64), intent(inout) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: i, m

   do i = 1, size(array, 2, int64)
      read (unit, 100) (array(m, i), m=1, size(array, 1))
   end do
100 format (10e15.5)
end subroutine read_labelled_format

subroutine write_variable_format(array, unit)
   real(real64), intent(in) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: i, m
   character(len=32) :: format

   format = "(10e15.5)"
   do i = 1, size(array, 2, int64)
      write (unit, format) (array(m, i), m=1, size(array, 1))
   end do
end subroutine write_variable_format

subroutine read_variable_format(array, unit)
   real(real64), intent(inout) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: i, m
   character(len=32) :: format

   format = "(10e15.5)"
   do i = 1, size(array, 2, int64)
      read (unit, format) (array(m, i), m=1, size(array, 1))
   end do
end subroutine read_variable_format

subroutine write_whole_constant(array, unit)
   real(real64), intent(in) :: array(:, :)
   integer, intent(in) :: unit

   write (unit, "(10e15.5)") array
end subroutine write_whole_constant

subroutine read_whole_constant(array, unit)
   real(real64), intent(inout) :: array(:, :)
   integer, intent(in) :: unit

   read (unit, "(10e15.5)") array
end subroutine read_whole_constant

subroutine write_whole_list_directed(array, unit)
   real(real64), intent(in) :: array(:, :)
   integer, intent(in) :: unit

   write (unit, *) array
end subroutine write_whole_list_directed

subroutine read_whole_list_directed(array, unit)
   real(real64), intent(inout) :: array(:, :)
   integer, intent(in) :: unit

   read (unit, *) array
end subroutine read_whole_list_directed

subroutine write_exact(array, unit)
   real(real64), intent(in) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: i, m

   do i = 1, size(array, 2, int64)
      write (unit, "(10(1x, es24.16e3))") (array(m, i), m=1, size(array, 1))
   end do
end subroutine write_exact

subroutine read_exact(array, unit)
   real(real64), intent(inout) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: i, m

   do i = 1, size(array, 2, int64)
      read (unit, "(10(1x, es24.16e3))") (array(m, i), m=1, size(array, 1))
   end do
end subroutine read_exact

!> Comma-separated values
subroutine write_unlimited(array, unit)
   real(real64), intent(in) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: i, m

   do i = 1, size(array, 2, int64)
      write (unit, '(*(g0, :, ","))') (array(m, i), m=1, size(array, 1))
   end do
end subroutine write_unlimited

subroutine read_unlimited(array, unit)
   real(real64), intent(inout) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: i, m

   do i = 1, size(array, 2, int64)
      read (unit, *) (array(m, i), m=1, size(array, 1))
   end do
end subroutine read_unlimited

subroutine write_element(array, unit)
   real(real64), intent(in) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64)
      write (unit, *) array(i)
   end do
end subroutine write_element

subroutine read_element(array, unit)
   real(real64), intent(inout) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64)
      read (unit, *) array(i)
   end do
end subroutine read_element

subroutine write_element_exact(array, unit)
   real(real64), intent(in) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64)
      write (unit, "(es24.16e3)") array(i)
   end do
end subroutine write_element_exact

subroutine read_element_exact(array, unit)
   real(real64), intent(inout) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64)
      read (unit, "(es24.16e3)") array(i)
   end do
end subroutine read_element_exact

subroutine write_non_advancing(array, unit)
   real(real64), intent(in) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: i, m

   do i = 1, size(array, 2, int64)
      do m = 1, size(array, 1)
         write (unit, "(1x, es24.16e3)", advance="no") array(m, i)
      end do
      write (unit, "()")
   end do
end subroutine write_non_advancing

subroutine read_non_advancing(array, unit)
   real(real64), intent(inout) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: i, m

   do i = 1, size(array, 2, int64)
      do m = 1, size(array, 1)
         read (unit, "(1x, es24.16e3)", advance="no") array(m, i)
      end do
      read (unit, "()")
   end do
end subroutine read_non_advancing

subroutine write_namelist(array, unit)
   real(real64), intent(in) :: array(:)
   integer, intent(in) :: unit
   namelist /payload/ array

   write (unit, nml=payload)
end subroutine write_namelist

subroutine read_namelist(array, unit)
   real(real64), intent(inout) :: array(:)
   integer, intent(in) :: unit
   namelist /payload/ array

   read (unit, nml=payload)
end subroutine read_namelist

!> Internal files, 4,096 rows at a time: the unit sees one statement a block
subroutine write_internal_buffer(array, unit)
   real(real64), intent(in) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: first, last, i
   character(len=75), save :: lines(4096)

   do first = 1, size(array, 2, int64), 4096
      last = min(first + 4095, size(array, 2, int64))
      do i = first, last
         write (lines(i - first + 1), "(10(1x, es24.16e3))") array(:, i)
      end do
      write (unit, "(a)") lines(:last - first + 1)
   end do
end subroutine write_internal_buffer

subroutine read_internal_buffer(array, unit)
   real(real64), intent(inout) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: first, last, i
   character(len=75), save :: lines(4096)

   do first = 1, size(array, 2, int64), 4096
      last = min(first + 4095, size(array, 2, int64))
      read (unit, "(a)") lines(:last - first + 1)
      do i = first, last
         read (lines(i - first + 1), "(10(1x, es24.16e3))") array(:, i)
      end do
   end do
end subroutine read_internal_buffer

!> The bits of the values: exact, and no decimal conversion
subroutine write_hexadecimal(array, unit)
   real(real64), intent(in) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: i, m

   do i = 1, size(array, 2, int64)
      write (unit, "(3z17)") (array(m, i), m=1, size(array, 1))
   end do
end subroutine write_hexadecimal

subroutine read_hexadecimal(array, unit)
   real(real64), intent(inout) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: i, m

   do i = 1, size(array, 2, int64)
      read (unit, "(3z17)") (array(m, i), m=1, size(array, 1))
   end do
end subroutine read_hexadecimal

subroutine write_integer_whole(array, unit)
   integer(int32), intent(in) :: array(:)
   integer, intent(in) :: unit

   write (unit, *) array
end subroutine write_integer_whole

subroutine read_integer_whole(array, unit)
   integer(int32), intent(inout) :: array(:)
   integer, intent(in) :: unit

   read (unit, *) array
end subroutine read_integer_whole

subroutine write_integer_element(array, unit)
   integer(int32), intent(in) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64)
      write (unit, *) array(i)
   end do
end subroutine write_integer_element

subroutine read_integer_element(array, unit)
   integer(int32), intent(inout) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64)
      read (unit, *) array(i)
   end do
end subroutine read_integer_element

end module formatted_mechanisms

program formatted
   use, intrinsic :: iso_fortran_env, only : real64
   use harness, only : add_integer, add_rows, add_vector, run_mechanism
   use formatted_mechanisms
   implicit none

   !> Half a unit of the fifth digit
   real(real64), parameter :: five_digits = 5e-5_real64

   call add_rows("list_directed", open_formatted, write_list_directed, read_list_directed)
   call add_rows("constant_format", open_formatted, write_constant_format, read_constant_format, &
      & tolerance=five_digits)
   call add_rows("labelled_format", open_formatted, write_labelled_format, read_labelled_format, &
      & tolerance=five_digits)
   call add_rows("variable_format", open_formatted, write_variable_format, read_variable_format, &
      & tolerance=five_digits)
   call add_rows("whole_constant", open_formatted, write_whole_constant, read_whole_constant, &
      & tolerance=five_digits)
   call add_rows("whole_list_directed", open_formatted, &
      & write_whole_list_directed, read_whole_list_directed)
   call add_rows("exact", open_formatted, write_exact, read_exact)
   call add_rows("unlimited", open_formatted, write_unlimited, read_unlimited)
   call add_vector("element", open_formatted, write_element, read_element)
   call add_vector("element_exact", open_formatted, write_element_exact, read_element_exact)
   call add_rows("non_advancing", open_formatted, write_non_advancing, read_non_advancing)
   call add_vector("namelist", open_formatted, write_namelist, read_namelist)
   call add_rows("internal_buffer", open_formatted, write_internal_buffer, read_internal_buffer)
   call add_rows("hexadecimal", open_formatted, write_hexadecimal, read_hexadecimal)
   call add_integer("integer_whole", open_formatted, write_integer_whole, read_integer_whole)
   call add_integer("integer_element", open_formatted, write_integer_element, read_integer_element)
   call run_mechanism()
end program formatted
