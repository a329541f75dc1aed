!> Unformatted sequential files: records with marks around them.
module unformatted_mechanisms
   use, intrinsic :: iso_fortran_env, only : int32, int64, real64
   use harness, only : expected_integer
   implicit none
   public

contains

subroutine open_unformatted(file, status, unit)
   character(len=*), intent(in) :: file, status
   integer, intent(out) :: unit

   open(newunit=unit, file=file, form="unformatted", status=status)
end subroutine open_unformatted

subroutine write_element(array, unit)
   real(real64), intent(in) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64)
      write (unit) array(i)
   end do
end subroutine write_element

subroutine read_element(array, unit)
   real(real64), intent(inout) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64)
      read (unit) array(i)
   end do
end subroutine read_element

subroutine write_short_records(array, unit)
   real(real64), intent(in) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: i, m

   do i = 1, size(array, 2, int64)
      write (unit) (array(m, i), m=1, size(array, 1))
   end do
end subroutine write_short_records

subroutine read_short_records(array, unit)
   real(real64), intent(inout) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: i, m

   do i = 1, size(array, 2, int64)
      read (unit) (array(m, i), m=1, size(array, 1))
   end do
end subroutine read_short_records

subroutine write_nested_natural(array, unit)
   real(real64), intent(in) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: i, m

   write (unit) ((array(m, i), m=1, size(array, 1)), i=1, size(array, 2, int64))
end subroutine write_nested_natural

subroutine read_nested_natural(array, unit)
   real(real64), intent(inout) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: i, m

   read (unit) ((array(m, i), m=1, size(array, 1)), i=1, size(array, 2, int64))
end subroutine read_nested_natural

subroutine write_nested_reversed(array, unit)
   real(real64), intent(in) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: i, m

   write (unit) ((array(m, i), i=1, size(array, 2, int64)), m=1, size(array, 1))
end subroutine write_nested_reversed

subroutine read_nested_reversed(array, unit)
   real(real64), intent(inout) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: i, m

   read (unit) ((array(m, i), i=1, size(array, 2, int64)), m=1, size(array, 1))
end subroutine read_nested_reversed

subroutine write_nested_columns(array, unit)
   real(real64), intent(in) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: i, m

   write (unit) ((array(i, m), i=1, size(array, 1, int64)), m=1, size(array, 2))
end subroutine write_nested_columns

subroutine read_nested_columns(array, unit)
   real(real64), intent(inout) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: i, m

   read (unit) ((array(i, m), i=1, size(array, 1, int64)), m=1, size(array, 2))
end subroutine read_nested_columns

subroutine write_nested_columns_reversed(array, unit)
   real(real64), intent(in) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: i, m

   write (unit) ((array(i, m), m=1, size(array, 2)), i=1, size(array, 1, int64))
end subroutine write_nested_columns_reversed

subroutine read_nested_columns_reversed(array, unit)
   real(real64), intent(inout) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: i, m

   read (unit) ((array(i, m), m=1, size(array, 2)), i=1, size(array, 1, int64))
end subroutine read_nested_columns_reversed

subroutine write_section(array, unit)
   real(real64), intent(in) :: array(:, :)
   integer, intent(in) :: unit

   write (unit) array(:, :)
end subroutine write_section

subroutine read_section(array, unit)
   real(real64), intent(inout) :: array(:, :)
   integer, intent(in) :: unit

   read (unit) array(:, :)
end subroutine read_section

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

subroutine write_whole_columns(array, unit)
   real(real64), intent(in) :: array(:, :)
   integer, intent(in) :: unit

   write (unit) array
end subroutine write_whole_columns

subroutine read_whole_columns(array, unit)
   real(real64), intent(inout) :: array(:, :)
   integer, intent(in) :: unit

   read (unit) array
end subroutine read_whole_columns

subroutine write_records_1000(array, unit)
   real(real64), intent(in) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64), 1000
      write (unit) array(i:min(i + 999, size(array, kind=int64)))
   end do
end subroutine write_records_1000

subroutine read_records_1000(array, unit)
   real(real64), intent(inout) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64), 1000
      read (unit) array(i:min(i + 999, size(array, kind=int64)))
   end do
end subroutine read_records_1000

subroutine write_records_100000(array, unit)
   real(real64), intent(in) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64), 100000
      write (unit) array(i:min(i + 99999, size(array, kind=int64)))
   end do
end subroutine write_records_100000

subroutine read_records_100000(array, unit)
   real(real64), intent(inout) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64), 100000
      read (unit) array(i:min(i + 99999, size(array, kind=int64)))
   end do
end subroutine read_records_100000

subroutine write_integer_whole(array, unit)
   integer(int32), intent(in) :: array(:)
   integer, intent(in) :: unit

   write (unit) array
end subroutine write_integer_whole

subroutine read_integer_whole(array, unit)
   integer(int32), intent(inout) :: array(:)
   integer, intent(in) :: unit

   read (unit) array
end subroutine read_integer_whole

subroutine write_integer_implied(array, unit)
   integer(int32), intent(in) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   write (unit) (array(i), i=1, size(array, kind=int64))
end subroutine write_integer_implied

subroutine read_integer_implied(array, unit)
   integer(int32), intent(inout) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   read (unit) (array(i), i=1, size(array, kind=int64))
end subroutine read_integer_implied

subroutine write_integer_element(array, unit)
   integer(int32), intent(in) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64)
      write (unit) array(i)
   end do
end subroutine write_integer_element

subroutine read_integer_element(array, unit)
   integer(int32), intent(inout) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64)
      read (unit) array(i)
   end do
end subroutine read_integer_element

!> The data is the index of the loop, so there is no array to take it from; up to 2**31 - 1 values
subroutine write_loop_variable(array, unit)
   integer(int32), intent(in) :: array(:)
   integer, intent(in) :: unit
   integer(int32) :: i

   write (unit) (i, i=1, size(array))
end subroutine write_loop_variable

subroutine read_loop_variable(array, unit)
   integer(int32), intent(inout) :: array(:)
   integer, intent(in) :: unit

   read (unit) array
end subroutine read_loop_variable

!> Turn "every value is its index" into the payload that the harness expects
subroutine collect_loop_variable(array)
   integer(int32), intent(inout) :: array(:)
   integer(int64) :: i
   logical :: is_index

   do i = 1, size(array, kind=int64)
      is_index = array(i) == i
      array(i) = expected_integer(i)
      if (.not. is_index) array(i) = not(array(i))
   end do
end subroutine collect_loop_variable

end module unformatted_mechanisms

program unformatted
   use harness, only : add_columns, add_integer, add_rows, add_vector, run_mechanism
   use unformatted_mechanisms
   implicit none

   call add_vector("element", open_unformatted, write_element, read_element)
   call add_rows("short_records", open_unformatted, write_short_records, read_short_records)
   call add_rows("nested_natural", open_unformatted, write_nested_natural, read_nested_natural)
   call add_rows("nested_reversed", open_unformatted, write_nested_reversed, read_nested_reversed)
   call add_columns("nested_columns", open_unformatted, write_nested_columns, read_nested_columns)
   call add_columns("nested_columns_reversed", open_unformatted, &
      & write_nested_columns_reversed, read_nested_columns_reversed)
   call add_rows("section", open_unformatted, write_section, read_section)
   call add_rows("whole", open_unformatted, write_whole, read_whole)
   call add_columns("whole_columns", open_unformatted, write_whole_columns, read_whole_columns)
   call add_vector("records_1000", open_unformatted, write_records_1000, read_records_1000)
   call add_vector("records_100000", open_unformatted, write_records_100000, read_records_100000)
   call add_integer("integer_whole", open_unformatted, write_integer_whole, read_integer_whole)
   call add_integer("integer_implied", open_unformatted, &
      & write_integer_implied, read_integer_implied)
   call add_integer("integer_element", open_unformatted, &
      & write_integer_element, read_integer_element)
   call add_integer("loop_variable", open_unformatted, &
      & write_loop_variable, read_loop_variable, collect=collect_loop_variable)
   call run_mechanism()
end program unformatted
