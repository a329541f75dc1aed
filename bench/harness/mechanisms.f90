!> The table of mechanisms that a family file fills. Next: harness.f90.
module harness_mechanisms
   use, intrinsic :: iso_fortran_env, only : error_unit, int32, int64, real64
   implicit none
   private

   public :: refuse
   public :: mechanism, add_rows, add_columns, add_vector, add_integer, find_mechanism, &
      & list_mechanisms
   public :: shape_rows, shape_columns, shape_vector, shape_integer

   !> real64 (3, n), real64 (n, 3), real64 (n), int32 (n)
   integer, parameter :: shape_rows = 1, shape_columns = 2, shape_vector = 3, shape_integer = 4

   abstract interface
      !> Open `file`; `status` is "replace" before writing and "old" before reading
      subroutine open_procedure(file, status, unit)
         character(len=*), intent(in) :: file, status
         integer, intent(out) :: unit
      end subroutine open_procedure
      subroutine close_procedure(unit)
         integer, intent(in) :: unit
      end subroutine close_procedure
      subroutine write_matrix(array, unit)
         import :: real64
         real(real64), intent(in) :: array(:, :)
         integer, intent(in) :: unit
      end subroutine write_matrix
      subroutine read_matrix(array, unit)
         import :: real64
         real(real64), intent(inout) :: array(:, :)
         integer, intent(in) :: unit
      end subroutine read_matrix
      subroutine write_reals(array, unit)
         import :: real64
         real(real64), intent(in) :: array(:)
         integer, intent(in) :: unit
      end subroutine write_reals
      subroutine read_reals(array, unit)
         import :: real64
         real(real64), intent(inout) :: array(:)
         integer, intent(in) :: unit
      end subroutine read_reals
      subroutine write_integers(array, unit)
         import :: int32
         integer(int32), intent(in) :: array(:)
         integer, intent(in) :: unit
      end subroutine write_integers
      subroutine read_integers(array, unit)
         import :: int32
         integer(int32), intent(inout) :: array(:)
         integer, intent(in) :: unit
      end subroutine read_integers
      !> Copy the payload into data of the mechanism's own (outside the clock)
      subroutine prepare_reals(array)
         import :: real64
         real(real64), intent(in) :: array(:)
      end subroutine prepare_reals
      !> Copy what the mechanism has read into the payload array (outside the clock)
      subroutine collect_reals(array)
         import :: real64
         real(real64), intent(inout) :: array(:)
      end subroutine collect_reals
      subroutine prepare_integers(array)
         import :: int32
         integer(int32), intent(in) :: array(:)
      end subroutine prepare_integers
      subroutine collect_integers(array)
         import :: int32
         integer(int32), intent(inout) :: array(:)
      end subroutine collect_integers
   end interface

   !> One way of writing and reading an array
   type :: mechanism
      character(len=32) :: name = " "
      integer :: shape = 0
      !> Largest relative difference between what was written and what is read back
      real(real64) :: tolerance = 0
      !> Bytes of payload a value
      integer :: value_bytes = 8
      !> Readers of a part of the file get multiples of so many values
      integer(int64) :: grain = 1
      procedure(open_procedure), pointer, nopass :: open => null()
      procedure(close_procedure), pointer, nopass :: close => null()
      procedure(write_matrix), pointer, nopass :: write_matrix => null()
      procedure(read_matrix), pointer, nopass :: read_matrix => null()
      procedure(write_reals), pointer, nopass :: write_reals => null()
      procedure(read_reals), pointer, nopass :: read_reals => null()
      procedure(write_integers), pointer, nopass :: write_integers => null()
      procedure(read_integers), pointer, nopass :: read_integers => null()
      procedure(prepare_reals), pointer, nopass :: prepare_reals => null()
      procedure(collect_reals), pointer, nopass :: collect_reals => null()
      procedure(prepare_integers), pointer, nopass :: prepare_integers => null()
      procedure(collect_integers), pointer, nopass :: collect_integers => null()
   end type mechanism

   integer :: entries = 0
   type(mechanism), target :: table(64)

contains

!> A mechanism that transfers real64 (3, n)
subroutine add_rows(name, open, write, read, close, prepare, collect, tolerance)
   character(len=*), intent(in) :: name
   procedure(open_procedure) :: open
   procedure(write_matrix) :: write
   procedure(read_matrix) :: read
   procedure(close_procedure), optional :: close
   procedure(prepare_reals), optional :: prepare
   procedure(collect_reals), optional :: collect
   real(real64), intent(in), optional :: tolerance

   call add_matrix(shape_rows, name, open, write, read, close, prepare, collect, tolerance)
end subroutine add_rows

!> A mechanism that transfers real64 (n, 3)
subroutine add_columns(name, open, write, read, close, prepare, collect, tolerance)
   character(len=*), intent(in) :: name
   procedure(open_procedure) :: open
   procedure(write_matrix) :: write
   procedure(read_matrix) :: read
   procedure(close_procedure), optional :: close
   procedure(prepare_reals), optional :: prepare
   procedure(collect_reals), optional :: collect
   real(real64), intent(in), optional :: tolerance

   call add_matrix(shape_columns, name, open, write, read, close, prepare, collect, tolerance)
end subroutine add_columns

subroutine add_matrix(shape, name, open, write, read, close, prepare, collect, tolerance)
   integer, intent(in) :: shape
   character(len=*), intent(in) :: name
   procedure(open_procedure) :: open
   procedure(write_matrix) :: write
   procedure(read_matrix) :: read
   procedure(close_procedure), optional :: close
   procedure(prepare_reals), optional :: prepare
   procedure(collect_reals), optional :: collect
   real(real64), intent(in), optional :: tolerance

   call new_entry(shape, name, tolerance)
   table(entries)%open => open
   table(entries)%write_matrix => write
   table(entries)%read_matrix => read
   if (present(close)) table(entries)%close => close
   if (present(prepare)) table(entries)%prepare_reals => prepare
   if (present(collect)) table(entries)%collect_reals => collect
end subroutine add_matrix

!> A mechanism that transfers real64 (n)
subroutine add_vector(name, open, write, read, close, prepare, collect, tolerance, value_bytes, &
   & grain)
   character(len=*), intent(in) :: name
   procedure(open_procedure) :: open
   procedure(write_reals) :: write
   procedure(read_reals) :: read
   procedure(close_procedure), optional :: close
   procedure(prepare_reals), optional :: prepare
   procedure(collect_reals), optional :: collect
   real(real64), intent(in), optional :: tolerance
   integer, intent(in), optional :: value_bytes
   integer(int64), intent(in), optional :: grain

   call new_entry(shape_vector, name, tolerance)
   table(entries)%open => open
   table(entries)%write_reals => write
   table(entries)%read_reals => read
   if (present(close)) table(entries)%close => close
   if (present(prepare)) table(entries)%prepare_reals => prepare
   if (present(collect)) table(entries)%collect_reals => collect
   if (present(value_bytes)) table(entries)%value_bytes = value_bytes
   if (present(grain)) table(entries)%grain = grain
end subroutine add_vector

!> A mechanism that transfers int32 (n)
subroutine add_integer(name, open, write, read, close, prepare, collect)
   character(len=*), intent(in) :: name
   procedure(open_procedure) :: open
   procedure(write_integers) :: write
   procedure(read_integers) :: read
   procedure(close_procedure), optional :: close
   procedure(prepare_integers), optional :: prepare
   procedure(collect_integers), optional :: collect

   call new_entry(shape_integer, name)
   table(entries)%open => open
   table(entries)%write_integers => write
   table(entries)%read_integers => read
   table(entries)%value_bytes = 4
   if (present(close)) table(entries)%close => close
   if (present(prepare)) table(entries)%prepare_integers => prepare
   if (present(collect)) table(entries)%collect_integers => collect
end subroutine add_integer

subroutine new_entry(shape, name, tolerance)
   integer, intent(in) :: shape
   character(len=*), intent(in) :: name
   real(real64), intent(in), optional :: tolerance

   if (entries == size(table)) error stop "headrace: too many mechanisms in one family"
   entries = entries + 1
   table(entries)%shape = shape
   table(entries)%name = name
   if (present(tolerance)) table(entries)%tolerance = tolerance
end subroutine new_entry

!> The entry called `name`; not associated when there is none
function find_mechanism(name) result(entry)
   character(len=*), intent(in) :: name
   type(mechanism), pointer :: entry
   integer :: i

   entry => null()
   do i = 1, entries
      if (table(i)%name == name) entry => table(i)
   end do
end function find_mechanism

!> End this process because the mechanism cannot work here; the row of the table shows `message`
subroutine refuse(message)
   character(len=*), intent(in) :: message

   write (error_unit, "(2a)") "refused: ", message
   flush (error_unit)
   error stop 4
end subroutine refuse

!> Print the names, one a line
subroutine list_mechanisms()
   integer :: i

   do i = 1, entries
      print "(a)", trim(table(i)%name)
   end do
end subroutine list_mechanisms

end module harness_mechanisms
