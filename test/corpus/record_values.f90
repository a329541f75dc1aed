!> The arrays of one record, of every type that the corpus has, read from a file of plain bytes.
module record_values
   use, intrinsic :: iso_fortran_env, only : int8, int16, int32, int64, real32, real64
   implicit none
   private

   public :: values, kinds, read_values, write_next, write_record

   !> Types that a record can hold; test/corpus/content.py has them in the same order
   integer, parameter :: kinds = 10

   !> Some may be empty
   type :: values
      character(len=1), allocatable :: characters(:)
      integer(int8), allocatable :: bytes(:)
      integer(int16), allocatable :: shorts(:)
      integer(int32), allocatable :: integers(:)
      integer(int64), allocatable :: longs(:)
      logical, allocatable :: logicals(:)
      real(real32), allocatable :: singles(:)
      real(real64), allocatable :: doubles(:)
      complex(real32), allocatable :: complex_singles(:)
      complex(real64), allocatable :: complex_doubles(:)
   end type values

contains

!> The next arrays of the payload, in the order of the components
subroutine read_values(unit, counts, v)
   !> Connected for stream access, native bytes
   integer, intent(in) :: unit
   !> Elements of each array
   integer, intent(in) :: counts(kinds)
   type(values), intent(out) :: v

   allocate(v%characters(counts(1)), v%bytes(counts(2)), v%shorts(counts(3)), &
      & v%integers(counts(4)), v%longs(counts(5)), v%logicals(counts(6)), v%singles(counts(7)), &
      & v%doubles(counts(8)), v%complex_singles(counts(9)), v%complex_doubles(counts(10)))
   read(unit) v%characters, v%bytes, v%shorts, v%integers, v%longs, v%logicals, v%singles, &
      & v%doubles, v%complex_singles, v%complex_doubles
end subroutine read_values

!> Both groups of arrays in one record: sequential or stream access
subroutine write_next(unit, a, b)
   !> Connected, unformatted
   integer, intent(in) :: unit
   type(values), intent(in) :: a, b

   write(unit) a%characters, a%bytes, a%shorts, a%integers, a%longs, a%logicals, a%singles, &
      & a%doubles, a%complex_singles, a%complex_doubles, &
      & b%characters, b%bytes, b%shorts, b%integers, b%longs, b%logicals, b%singles, &
      & b%doubles, b%complex_singles, b%complex_doubles
end subroutine write_next

!> The same with a record number: direct access
subroutine write_record(unit, number, a, b)
   !> Connected, unformatted; and which record, from 1
   integer, intent(in) :: unit, number
   type(values), intent(in) :: a, b

   write(unit, rec=number) a%characters, a%bytes, a%shorts, a%integers, a%longs, a%logicals, &
      & a%singles, a%doubles, a%complex_singles, a%complex_doubles, &
      & b%characters, b%bytes, b%shorts, b%integers, b%longs, b%logicals, b%singles, &
      & b%doubles, b%complex_singles, b%complex_doubles
end subroutine write_record

end module record_values
