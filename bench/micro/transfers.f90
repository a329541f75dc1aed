!> The statements of the micro-runs, from which the cost model is fitted. Next: swapped.f90.
!>
!> Each loop isolates one thing a run time does: a statement, a scalar item, an array item, a run of
!> a section. A micro-run walks `span` values of an array again and again, so its data come from the
!> cache or from memory.
module micro_transfers
   use, intrinsic :: iso_fortran_env, only : int32, int64, real64
   implicit none
   private

   public :: micro_run, write_run, read_run, make_places

   !> A derived type whose components are transferred one by one
   type :: point
      real(real64) :: x = 0, y = 0, z = 0
   end type point

   !> 1, 2, 3, ...: subscripts that keep compilers from transferring an implied-do list as one array
   integer(int64), allocatable :: place(:)

   !> One line of the list of micro-runs
   type :: micro_run
      !> sequential, stream, direct, memory or internal
      character(len=12) :: access = " "
      !> unformatted, swapped (the other byte order), list, formatted, or separated: written with
      !> `edit`, read list-directed
      character(len=12) :: form = " "
      !> What one statement transfers: scalars, array, section, components (of derived types) or
      !> integers
      character(len=12) :: style = " "
      !> Statements of the run, values of one section run (or of the statement), section runs of a
      !> statement
      integer(int64) :: statements = 1, items = 1, sections = 1
      !> Values of the array that the run walks
      integer(int64) :: span = 1
      character(len=40) :: edit = " "
   end type micro_run

contains

!> Write as `run` says; `values` and `integers` hold at least `span` elements
subroutine write_run(run, unit, values, integers)
   type(micro_run), intent(in) :: run
   integer, intent(in) :: unit
   real(real64), intent(in), target :: values(:)
   integer(int32), intent(in) :: integers(:)
   real(real64), pointer :: matrix(:, :)

   if (run%style == "integers") then
      call write_integers(run, unit, integers)
   else if (run%style == "section") then
      matrix(1:run%items + 1, 1:run%sections) => values
      call write_section(run, unit, matrix(1:run%items, :))
   else if (run%style == "components") then
      call write_components(run, unit)
   else if (run%access == "direct") then
      call write_direct(run, unit, values)
   else if (run%form == "unformatted" .or. run%form == "swapped") then
      call write_unformatted(run, unit, values)
   else if (run%form == "list") then
      call write_list(run, unit, values)
   else
      call write_formatted(run, unit, values)
   end if
end subroutine write_run

!> Read what `write_run` wrote
subroutine read_run(run, unit, values, integers)
   type(micro_run), intent(in) :: run
   integer, intent(in) :: unit
   real(real64), intent(inout), target :: values(:)
   integer(int32), intent(inout) :: integers(:)
   real(real64), pointer :: matrix(:, :)

   if (run%style == "integers") then
      call read_integers(run, unit, integers)
   else if (run%style == "section") then
      matrix(1:run%items + 1, 1:run%sections) => values
      call read_section(run, unit, matrix(1:run%items, :))
   else if (run%style == "components") then
      call read_components(run, unit)
   else if (run%access == "direct") then
      call read_direct(run, unit, values)
   else if (run%form == "unformatted" .or. run%form == "swapped") then
      call read_unformatted(run, unit, values)
   else if (run%form == "list" .or. run%form == "separated") then
      call read_list(run, unit, values)
   else
      call read_formatted(run, unit, values)
   end if
end subroutine read_run

!> Subscripts for lists of up to `largest` scalars
subroutine make_places(largest)
   integer(int64), intent(in) :: largest
   integer(int64) :: i

   allocate(place(largest))
   do i = 1, largest
      place(i) = i
   end do
end subroutine make_places

!> The next statement's place in the array
pure integer(int64) function next(base, run)
   integer(int64), intent(in) :: base
   type(micro_run), intent(in) :: run

   next = base + run%items
   if (next + run%items > run%span) next = 0
end function next

subroutine write_unformatted(run, unit, values)
   type(micro_run), intent(in) :: run
   integer, intent(in) :: unit
   real(real64), intent(in) :: values(:)
   integer(int64) :: base, i, j

   base = 0
   if (run%style == "array") then
      do i = 1, run%statements
         write (unit) values(base + 1:base + run%items)
         base = next(base, run)
      end do
   else
      do i = 1, run%statements
         write (unit) (values(base + place(j)), j=1, run%items)
         base = next(base, run)
      end do
   end if
end subroutine write_unformatted

subroutine read_unformatted(run, unit, values)
   type(micro_run), intent(in) :: run
   integer, intent(in) :: unit
   real(real64), intent(inout) :: values(:)
   integer(int64) :: base, i, j

   base = 0
   if (run%style == "array") then
      do i = 1, run%statements
         read (unit) values(base + 1:base + run%items)
         base = next(base, run)
      end do
   else
      do i = 1, run%statements
         read (unit) (values(base + place(j)), j=1, run%items)
         base = next(base, run)
      end do
   end if
end subroutine read_unformatted

subroutine write_direct(run, unit, values)
   type(micro_run), intent(in) :: run
   integer, intent(in) :: unit
   real(real64), intent(in) :: values(:)
   integer(int64) :: base, i, j

   base = 0
   if (run%style == "array") then
      do i = 1, run%statements
         write (unit, rec=i) values(base + 1:base + run%items)
         base = next(base, run)
      end do
   else
      do i = 1, run%statements
         write (unit, rec=i) (values(base + place(j)), j=1, run%items)
         base = next(base, run)
      end do
   end if
end subroutine write_direct

subroutine read_direct(run, unit, values)
   type(micro_run), intent(in) :: run
   integer, intent(in) :: unit
   real(real64), intent(inout) :: values(:)
   integer(int64) :: base, i, j

   base = 0
   if (run%style == "array") then
      do i = 1, run%statements
         read (unit, rec=i) values(base + 1:base + run%items)
         base = next(base, run)
      end do
   else
      do i = 1, run%statements
         read (unit, rec=i) (values(base + place(j)), j=1, run%items)
         base = next(base, run)
      end do
   end if
end subroutine read_direct

!> A section whose first dimension is contiguous and whose columns are not
subroutine write_section(run, unit, section)
   type(micro_run), intent(in) :: run
   integer, intent(in) :: unit
   real(real64), intent(in) :: section(:, :)
   integer(int64) :: i

   do i = 1, run%statements
      write (unit) section
   end do
end subroutine write_section

subroutine read_section(run, unit, section)
   type(micro_run), intent(in) :: run
   integer, intent(in) :: unit
   real(real64), intent(inout) :: section(:, :)
   integer(int64) :: i

   do i = 1, run%statements
      read (unit) section
   end do
end subroutine read_section

subroutine write_components(run, unit)
   type(micro_run), intent(in) :: run
   integer, intent(in) :: unit
   type(point), allocatable :: points(:)
   integer(int64) :: i

   allocate(points(run%items / 3))
   do i = 1, run%statements
      write (unit) points
   end do
end subroutine write_components

subroutine read_components(run, unit)
   type(micro_run), intent(in) :: run
   integer, intent(in) :: unit
   type(point), allocatable :: points(:)
   integer(int64) :: i

   allocate(points(run%items / 3))
   do i = 1, run%statements
      read (unit) points
   end do
end subroutine read_components

subroutine write_list(run, unit, values)
   type(micro_run), intent(in) :: run
   integer, intent(in) :: unit
   real(real64), intent(in) :: values(:)
   integer(int64) :: base, i

   base = 0
   do i = 1, run%statements
      write (unit, *) values(base + 1:base + run%items)
      base = next(base, run)
   end do
end subroutine write_list

subroutine read_list(run, unit, values)
   type(micro_run), intent(in) :: run
   integer, intent(in) :: unit
   real(real64), intent(inout) :: values(:)
   integer(int64) :: base, i

   base = 0
   do i = 1, run%statements
      read (unit, *) values(base + 1:base + run%items)
      base = next(base, run)
   end do
end subroutine read_list

subroutine write_formatted(run, unit, values)
   type(micro_run), intent(in) :: run
   integer, intent(in) :: unit
   real(real64), intent(in) :: values(:)
   integer(int64) :: base, i

   base = 0
   do i = 1, run%statements
      write (unit, run%edit) values(base + 1:base + run%items)
      base = next(base, run)
   end do
end subroutine write_formatted

subroutine read_formatted(run, unit, values)
   type(micro_run), intent(in) :: run
   integer, intent(in) :: unit
   real(real64), intent(inout) :: values(:)
   integer(int64) :: base, i

   base = 0
   do i = 1, run%statements
      read (unit, run%edit) values(base + 1:base + run%items)
      base = next(base, run)
   end do
end subroutine read_formatted

subroutine write_integers(run, unit, integers)
   type(micro_run), intent(in) :: run
   integer, intent(in) :: unit
   integer(int32), intent(in) :: integers(:)
   integer(int64) :: base, i

   base = 0
   if (run%form == "list") then
      do i = 1, run%statements
         write (unit, *) integers(base + 1:base + run%items)
         base = next(base, run)
      end do
   else
      do i = 1, run%statements
         write (unit, run%edit) integers(base + 1:base + run%items)
         base = next(base, run)
      end do
   end if
end subroutine write_integers

subroutine read_integers(run, unit, integers)
   type(micro_run), intent(in) :: run
   integer, intent(in) :: unit
   integer(int32), intent(inout) :: integers(:)
   integer(int64) :: base, i

   base = 0
   if (run%form == "list") then
      do i = 1, run%statements
         read (unit, *) integers(base + 1:base + run%items)
         base = next(base, run)
      end do
   else
      do i = 1, run%statements
         read (unit, run%edit) integers(base + 1:base + run%items)
         base = next(base, run)
      end do
   end if
end subroutine read_integers

end module micro_transfers
