!> Many arrays, attributes and steps in one file or store: the checkpoint of a whole state.
!>
!>     type(dataset) :: state
!>
!>     call open_dataset(state, "state.zarr", comm, action="write")
!>     call write_array(state, "rho", rho, layout, step=12)
!>     call write_attribute(state, "time", 0.25d0)
!>     call close_dataset(state)              ! only now does the new state replace the old
!>
!> All calls are collective. Datasets are closed explicitly; a copy is the same dataset, and using
!> a closed one is `hr_stat%handle_closed`. Next: ../bindings/parallel_arrays.cpp.
module headrace_mpi_datasets
   use, intrinsic :: iso_c_binding, only : c_char, c_int, c_int64_t
   implicit none
   private

   public :: dataset, open_dataset, flush_dataset, close_dataset, abandon_dataset
   public :: write_attribute, read_attribute, describe_array, list_arrays

   !> An open dataset
   type, bind(c) :: dataset
      !> 0: not open
      integer(c_int64_t) :: handle = 0
   end type dataset

   !> Open a file or store. Options are those of write_array, for all its arrays
   interface open_dataset
      subroutine hr_fortran_open_dataset(state, file, comm, action, pattern, mode, transfer, &
            & hints, checksum, compression, sync, format, iostat, iomsg) &
            & bind(c, name="hr_fortran_open_dataset")
         import :: c_char, c_int, dataset
         implicit none
         !> The dataset
         type(dataset), intent(out) :: state
         !> Name of the file or store
         character(kind=c_char, len=*), intent(in) :: file
         !> The communicator: type(MPI_Comm) of mpi_f08, or the INTEGER of mpi and mpif.h
         type(*), intent(in) :: comm
         !> "read" (default); "write": a new one, which takes the place of an old one when it is
         !> closed or first flushed; "append": add steps, arrays and attributes to what is there,
         !> and make what is not there
         character(kind=c_char, len=*), intent(in), optional :: action
         !> As in write_array
         character(kind=c_char, len=*), intent(in), optional :: pattern, mode, transfer, hints, &
            & checksum, compression, sync, format
         !> 0, errno of the system, or a value of hr_stat; without it a failure stops the program
         integer(c_int), intent(out), optional :: iostat
         !> What went wrong and what to do; untouched on success
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_open_dataset
   end interface open_dataset

   !> From here on all that was written survives a kill of the program at any moment. The first call
   !> for a new dataset gives it its name: what was there before is gone. Not every format can
   interface flush_dataset
      subroutine hr_fortran_flush_dataset(state, iostat, iomsg) &
            & bind(c, name="hr_fortran_flush_dataset")
         import :: c_char, c_int, dataset
         implicit none
         !> The dataset
         type(dataset), intent(in) :: state
         !> As in open_dataset
         integer(c_int), intent(out), optional :: iostat
         !> As in open_dataset
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_flush_dataset
   end interface flush_dataset

   !> Close a dataset. After a failed write this fails again, and the old file stays
   interface close_dataset
      subroutine hr_fortran_close_dataset(state, hints_in_force, hints_ignored, iostat, iomsg) &
            & bind(c, name="hr_fortran_close_dataset")
         import :: c_char, c_int, dataset
         implicit none
         !> The dataset
         type(dataset), intent(inout) :: state
         !> As in write_array
         character(kind=c_char, len=*), intent(inout), optional :: hints_in_force, hints_ignored
         !> As in open_dataset
         integer(c_int), intent(out), optional :: iostat
         !> As in open_dataset
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_close_dataset
   end interface close_dataset

   !> End a dataset that was to be written without writing it: the old file stays, or what was
   !> flushed. Collective while small arrays are kept (write_array)
   interface abandon_dataset
      subroutine hr_fortran_abandon_dataset(state, iostat, iomsg) &
            & bind(c, name="hr_fortran_abandon_dataset")
         import :: c_char, c_int, dataset
         implicit none
         !> The dataset
         type(dataset), intent(inout) :: state
         !> As in open_dataset
         integer(c_int), intent(out), optional :: iostat
         !> As in open_dataset
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_abandon_dataset
   end interface abandon_dataset

   !> Write a scalar or an array of rank 1 beside the arrays, the same on every MPI rank
   interface write_attribute
      subroutine hr_fortran_write_attribute(state, name, value, array, iostat, iomsg) &
            & bind(c, name="hr_fortran_write_attribute")
         import :: c_char, c_int, dataset
         implicit none
         !> The dataset
         type(dataset), intent(in) :: state
         !> What the attribute is called
         character(kind=c_char, len=*), intent(in) :: name
         !> Its value, of any intrinsic type that the format has
         type(*), dimension(..), intent(in) :: value
         !> Name of the array that it belongs to; default: to the whole dataset
         character(kind=c_char, len=*), intent(in), optional :: array
         !> As in open_dataset
         integer(c_int), intent(out), optional :: iostat
         !> As in open_dataset
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_write_attribute
   end interface write_attribute

   !> Read an attribute of the same type, kind and length
   interface read_attribute
      subroutine hr_fortran_read_attribute(state, name, value, array, iostat, iomsg) &
            & bind(c, name="hr_fortran_read_attribute")
         import :: c_char, c_int, dataset
         implicit none
         !> The dataset
         type(dataset), intent(in) :: state
         !> What the attribute is called
         character(kind=c_char, len=*), intent(in) :: name
         !> Receives its value
         type(*), dimension(..), intent(inout) :: value
         !> As in write_attribute
         character(kind=c_char, len=*), intent(in), optional :: array
         !> As in open_dataset
         integer(c_int), intent(out), optional :: iostat
         !> As in open_dataset
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_read_attribute
   end interface read_attribute

   !> What a dataset says of an array, before it is read
   interface describe_array
      subroutine hr_fortran_describe_dataset_array(state, name, array_rank, global, steps, &
            & step_numbers, iostat, iomsg) bind(c, name="hr_fortran_describe_dataset_array")
         import :: c_char, c_int, c_int64_t, dataset
         implicit none
         !> The dataset
         type(dataset), intent(in) :: state
         !> Name of the array
         character(kind=c_char, len=*), intent(in) :: name
         !> Number of its dimensions, without that of the steps
         integer(c_int), intent(out), optional :: array_rank
         !> Global extents in Fortran's order; those beyond its dimensions are 1
         integer(c_int64_t), intent(out), optional :: global(7)
         !> How many steps it has; 0: it has no dimension of steps
         integer(c_int64_t), intent(out), optional :: steps
         !> Receives the numbers of the first size(step_numbers) steps
         integer(c_int64_t), intent(inout), optional :: step_numbers(:)
         !> As in open_dataset
         integer(c_int), intent(out), optional :: iostat
         !> As in open_dataset
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_describe_dataset_array
   end interface describe_array

   interface
      subroutine hr_fortran_count_arrays(state, count, longest, iostat, iomsg) &
            & bind(c, name="hr_fortran_count_arrays")
         import :: c_char, c_int, c_int64_t, dataset
         implicit none
         type(dataset), intent(in) :: state
         integer(c_int64_t), intent(out) :: count, longest
         integer(c_int), intent(out), optional :: iostat
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_count_arrays
      subroutine hr_fortran_array_name(state, index, name) bind(c, name="hr_fortran_array_name")
         import :: c_char, c_int64_t, dataset
         implicit none
         type(dataset), intent(in) :: state
         integer(c_int64_t), intent(in), value :: index
         character(kind=c_char, len=*), intent(inout) :: name
      end subroutine hr_fortran_array_name
   end interface

contains

!> The names of all arrays of a dataset that is read, without those that only number steps or
!> dimensions. `describe_array` tells their shapes. Collective
subroutine list_arrays(state, names, iostat, iomsg)
   !> The dataset
   type(dataset), intent(in) :: state
   !> Receives the names, padded with blanks to the longest
   character(kind=c_char, len=:), allocatable, intent(out) :: names(:)
   !> As in open_dataset
   integer(c_int), intent(out), optional :: iostat
   !> As in open_dataset
   character(kind=c_char, len=*), intent(inout), optional :: iomsg
   integer(c_int64_t) :: count, longest, i

   if (present(iomsg)) then
      call count_with_message(state, count, longest, iomsg, iostat)
   else
      call hr_fortran_count_arrays(state, count, longest, iostat)
   end if
   allocate(character(kind=c_char, len=longest) :: names(count))
   do i = 1, count
      call hr_fortran_array_name(state, i - 1, names(i))
   end do
end subroutine list_arrays

! gfortran 12 ends with an internal error if an optional text is passed on to C.
subroutine count_with_message(state, count, longest, iomsg, iostat)
   type(dataset), intent(in) :: state
   integer(c_int64_t), intent(out) :: count, longest
   character(kind=c_char, len=*), intent(inout) :: iomsg
   integer(c_int), intent(out), optional :: iostat

   call hr_fortran_count_arrays(state, count, longest, iostat, iomsg)
end subroutine count_with_message

end module headrace_mpi_datasets
