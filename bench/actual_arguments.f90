!> What kind of array stands in the statement: unformatted sequential, one statement for everything.
!>
!> Most of these need an array of their own, which `prepare` fills and `collect` empties outside the
!> clock; the payload that the harness passes then stays unused, as compilers warn.
module actual_arguments_mechanisms
   use, intrinsic :: iso_fortran_env, only : int64, real64
   implicit none
   public

   type :: field
      real(real64), allocatable :: v(:)
   end type field

   type :: point
      real(real64) :: x, y, z
   end type point

   real(real64), pointer :: pointer_to_array(:) => null()
   real(real64), allocatable :: wide(:)
   type(field) :: x
   type(point), allocatable :: points(:)
   integer(int64), allocatable :: subscript(:)

contains

subroutine open_unformatted(file, status, unit)
   character(len=*), intent(in) :: file, status
   integer, intent(out) :: unit

   open(newunit=unit, file=file, form="unformatted", status=status)
end subroutine open_unformatted

subroutine write_pointer_array(array, unit)
   real(real64), intent(in) :: array(:)
   integer, intent(in) :: unit

   write (unit) pointer_to_array
end subroutine write_pointer_array

subroutine read_pointer_array(array, unit)
   real(real64), intent(inout) :: array(:)
   integer, intent(in) :: unit

   read (unit) pointer_to_array
end subroutine read_pointer_array

subroutine prepare_pointer_array(array)
   real(real64), intent(in) :: array(:)

   if (associated(pointer_to_array)) deallocate(pointer_to_array)
   allocate(pointer_to_array(size(array, kind=int64)))
   pointer_to_array = array
end subroutine prepare_pointer_array

subroutine collect_pointer_array(array)
   real(real64), intent(inout) :: array(:)

   array = pointer_to_array
end subroutine collect_pointer_array

subroutine write_strided_section(array, unit)
   real(real64), intent(in) :: array(:)
   integer, intent(in) :: unit

   write (unit) wide(::2)
end subroutine write_strided_section

subroutine read_strided_section(array, unit)
   real(real64), intent(inout) :: array(:)
   integer, intent(in) :: unit

   read (unit) wide(::2)
end subroutine read_strided_section

subroutine prepare_strided_section(array)
   real(real64), intent(in) :: array(:)

   if (allocated(wide)) deallocate(wide)
   allocate(wide(2 * size(array, kind=int64)))
   wide(::2) = array
   wide(2::2) = -1
end subroutine prepare_strided_section

subroutine collect_strided_section(array)
   real(real64), intent(inout) :: array(:)

   array = wide(::2)
end subroutine collect_strided_section

subroutine write_component(array, unit)
   real(real64), intent(in) :: array(:)
   integer, intent(in) :: unit

   write (unit) x%v
end subroutine write_component

subroutine read_component(array, unit)
   real(real64), intent(inout) :: array(:)
   integer, intent(in) :: unit

   read (unit) x%v
end subroutine read_component

subroutine prepare_component(array)
   real(real64), intent(in) :: array(:)

   x%v = array
end subroutine prepare_component

subroutine collect_component(array)
   real(real64), intent(inout) :: array(:)

   array = x%v
end subroutine collect_component

subroutine write_derived_type_array(array, unit)
   real(real64), intent(in) :: array(:, :)
   integer, intent(in) :: unit

   write (unit) points
end subroutine write_derived_type_array

subroutine read_derived_type_array(array, unit)
   real(real64), intent(inout) :: array(:, :)
   integer, intent(in) :: unit

   read (unit) points
end subroutine read_derived_type_array

subroutine prepare_derived_type_array(array)
   real(real64), intent(in) :: array(:)
   integer(int64) :: i

   if (allocated(points)) deallocate(points)
   allocate(points(size(array, kind=int64) / 3))
   do i = 1, size(points, kind=int64)
      points(i) = point(array(3 * i - 2), array(3 * i - 1), array(3 * i))
   end do
end subroutine prepare_derived_type_array

subroutine collect_derived_type_array(array)
   real(real64), intent(inout) :: array(:)
   integer(int64) :: i

   do i = 1, size(points, kind=int64)
      array(3 * i - 2:3 * i) = [points(i)%x, points(i)%y, points(i)%z]
   end do
end subroutine collect_derived_type_array

!> The subscripts are 1, 2, ... in order, which the compiler cannot know
subroutine write_vector_subscript(array, unit)
   real(real64), intent(in) :: array(:)
   integer, intent(in) :: unit

   write (unit) array(subscript)
end subroutine write_vector_subscript

subroutine read_vector_subscript(array, unit)
   real(real64), intent(inout) :: array(:)
   integer, intent(in) :: unit

   read (unit) array(subscript)
end subroutine read_vector_subscript

subroutine prepare_vector_subscript(array)
   real(real64), intent(in) :: array(:)
   integer(int64) :: i

   if (allocated(subscript)) deallocate(subscript)
   allocate(subscript(size(array, kind=int64)))
   do i = 1, size(subscript, kind=int64)
      subscript(i) = i
   end do
end subroutine prepare_vector_subscript

!> The dummy argument `flat(length)` of explicit shape promises contiguous data in one dimension
subroutine write_flat(array, unit)
   real(real64), intent(in) :: array(:, :)
   integer, intent(in) :: unit

   call put_flat(array, size(array, kind=int64), unit)
end subroutine write_flat

subroutine read_flat(array, unit)
   real(real64), intent(inout) :: array(:, :)
   integer, intent(in) :: unit

   call get_flat(array, size(array, kind=int64), unit)
end subroutine read_flat

subroutine put_flat(flat, length, unit)
   integer(int64), intent(in) :: length
   real(real64), intent(in) :: flat(length)
   integer, intent(in) :: unit

   write (unit) flat
end subroutine put_flat

subroutine get_flat(flat, length, unit)
   integer(int64), intent(in) :: length
   real(real64), intent(inout) :: flat(length)
   integer, intent(in) :: unit

   read (unit) flat
end subroutine get_flat

end module actual_arguments_mechanisms

program actual_arguments
   use harness, only : add_rows, add_vector, run_mechanism
   use actual_arguments_mechanisms
   implicit none

   call add_vector("pointer_array", open_unformatted, write_pointer_array, read_pointer_array, &
      & prepare=prepare_pointer_array, collect=collect_pointer_array)
   call add_vector("strided_section", open_unformatted, &
      & write_strided_section, read_strided_section, &
      & prepare=prepare_strided_section, collect=collect_strided_section)
   call add_vector("component", open_unformatted, write_component, read_component, &
      & prepare=prepare_component, collect=collect_component)
   call add_rows("derived_type_array", open_unformatted, &
      & write_derived_type_array, read_derived_type_array, &
      & prepare=prepare_derived_type_array, collect=collect_derived_type_array)
   call add_vector("vector_subscript", open_unformatted, &
      & write_vector_subscript, read_vector_subscript, prepare=prepare_vector_subscript)
   call add_rows("flat", open_unformatted, write_flat, read_flat)
   call run_mechanism()
end program actual_arguments
