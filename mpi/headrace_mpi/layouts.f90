!> How a global array is spread over MPI ranks: a block of indices on each.
!>
!> Any decomposition will do, as long as the blocks have neither gaps nor overlaps. Layouts are
!> freed explicitly; a copy is the same layout, and using a freed one is `hr_stat%handle_closed`.
!>
!> Next: ../bindings/parallel_arrays.cpp.
module headrace_mpi_layouts
   use, intrinsic :: iso_c_binding, only : c_char, c_int, c_int64_t
   implicit none
   private

   public :: array_layout, make_layout, make_reading_layout, free_layout

   !> How an array is spread over MPI ranks
   type, bind(c) :: array_layout
      !> 0: none; negative: freed by this variable
      integer(c_int64_t) :: handle = 0
   end type array_layout

   !> Describe which block of a global array this MPI rank has. Collective: every MPI rank of the
   !> communicator makes the call.
   !>
   !> Failures: `layout_invalid` (names MPI ranks and indices that overlap or are missing),
   !> `ranks_disagree`, `argument_invalid`.
   interface make_layout
      subroutine hr_fortran_make_layout(layout, comm, global, start, count, iostat, iomsg) &
            & bind(c, name="hr_fortran_make_layout")
         import :: array_layout, c_char, c_int
         implicit none
         !> The layout
         type(array_layout), intent(out) :: layout
         !> The communicator: type(MPI_Comm) of mpi_f08, or the INTEGER of mpi and mpif.h
         type(*), intent(in) :: comm
         !> Extents of the whole array, integers of any kind; the same on every MPI rank
         type(*), dimension(..), intent(in) :: global
         !> Index of this MPI rank's first element along each dimension, from 1
         type(*), dimension(..), intent(in) :: start
         !> Extents of this MPI rank's block; 0 if it has no elements
         type(*), dimension(..), intent(in) :: count
         !> 0, or a value of hr_stat; without it a failure stops the program
         integer(c_int), intent(out), optional :: iostat
         !> What went wrong and what to do; untouched on success
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_make_layout
   end interface make_layout

   !> Describe which block of a global array this MPI rank reads. Blocks may overlap (halos, the
   !> same box on every MPI rank) and need not cover the array. Collective. Writing with such a
   !> layout fails with `layout_invalid`.
   !>
   !> Failures: `layout_invalid` (names the block that reaches beyond the array),
   !> `ranks_disagree`, `argument_invalid`.
   interface make_reading_layout
      subroutine hr_fortran_make_reading_layout(layout, comm, global, start, count, iostat, iomsg) &
            & bind(c, name="hr_fortran_make_reading_layout")
         import :: array_layout, c_char, c_int
         implicit none
         !> The layout
         type(array_layout), intent(out) :: layout
         !> The communicator: type(MPI_Comm) of mpi_f08, or the INTEGER of mpi and mpif.h
         type(*), intent(in) :: comm
         !> Extents of the whole array, integers of any kind; the same on every MPI rank
         type(*), dimension(..), intent(in) :: global
         !> Index of this MPI rank's first element along each dimension, from 1
         type(*), dimension(..), intent(in) :: start
         !> Extents of this MPI rank's block; 0 if it has no elements
         type(*), dimension(..), intent(in) :: count
         !> 0, or a value of hr_stat; without it a failure stops the program
         integer(c_int), intent(out), optional :: iostat
         !> What went wrong and what to do; untouched on success
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_make_reading_layout
   end interface make_reading_layout

   !> Free a layout; nothing happens to one that was never made
   interface free_layout
      subroutine hr_fortran_free_layout(layout, iostat, iomsg) &
            & bind(c, name="hr_fortran_free_layout")
         import :: array_layout, c_char, c_int
         implicit none
         !> The layout
         type(array_layout), intent(inout) :: layout
         !> As above
         integer(c_int), intent(out), optional :: iostat
         !> As above
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_free_layout
   end interface free_layout

end module headrace_mpi_layouts
