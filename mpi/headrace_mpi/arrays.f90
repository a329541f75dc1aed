!> Spread arrays to and from files: any intrinsic type, kind and section, array rank 1 to 7.
!>
!> The ending of the file name chooses the format; `format=` overrides it:
!>
!> | format     | endings         | file                                                          |
!> | ---------- | --------------- | ------------------------------------------------------------- |
!> | zarr       | `.zarr`         | a Zarr v3 store, a chunk for each MPI rank or a shard a node  |
!> | npy        | `.npy`          | one file in global element order; numpy opens it              |
!> | hdf5       | `.h5` `.hdf5`   | HDF5                                                          |
!> | netcdf4    | `.nc` `.nc4`    | NetCDF-4                                                      |
!> | pnetcdf    | `.pnc` `.cdf5`  | NetCDF's CDF-5 format, by PnetCDF                             |
!> | adios2     | `.bp`           | ADIOS2, BP5                                                   |
!> | statements | none            | a Zarr store whose chunks Fortran's stream statements write   |
!>
!> Whatever the format and the pattern, the file holds one logical array, which any number of MPI
!> ranks reads with any layout. Next: ../bindings/parallel_arrays.cpp.
module headrace_mpi_arrays
   use, intrinsic :: iso_c_binding, only : c_char, c_int
   use headrace_arrays, only : write_array, read_array
   use headrace_mpi_datasets, only : dataset
   use headrace_mpi_layouts, only : array_layout
   implicit none
   private

   public :: write_array, read_array, read_steps

   !> Write an array to a file or store of its own, or into an open dataset.
   !>
   !> Collective: every MPI rank of the layout's communicator makes the call, with the same names
   !> and options. A failure of one MPI rank is the same failure on all, with that MPI rank named.
   !> An old file of that name stays as it was until the new one is complete.
   !>
   !> Small arrays of a dataset (256 KiB in all, or less) are copied, kept and delivered together:
   !> a failure is told on all MPI ranks by a later write_array, write_attribute, flush_dataset or
   !> close_dataset.
   interface write_array
      subroutine hr_fortran_write_parallel(file, array, layout, dataset, pattern, mode, transfer, &
            & dimensions, hints, checksum, compression, sync, format, hints_in_force, &
            & hints_ignored, iostat, iomsg) bind(c, name="hr_fortran_write_parallel")
         import :: array_layout, c_char, c_int
         implicit none
         !> Name of the file or store; trailing blanks are ignored
         character(kind=c_char, len=*), intent(in) :: file
         !> This MPI rank's block, without halo: any section
         type(*), dimension(..), intent(in) :: array
         !> Where the block lies in the global array
         type(array_layout), intent(in) :: layout
         !> Name of the array in the file, default "data"
         character(kind=c_char, len=*), intent(in), optional :: dataset
         !> "serial", "file_per_process", "file_per_node", "shared_independent",
         !> "shared_collective"; default: what is fastest for the format
         character(kind=c_char, len=*), intent(in), optional :: pattern
         !> "collective" or "independent": the shared pattern of that name
         character(kind=c_char, len=*), intent(in), optional :: mode
         !> npy, hdf5: "headrace" (default: our own exchange in cycles), or "library": the call of
         !> MPI-IO or HDF5
         character(kind=c_char, len=*), intent(in), optional :: transfer
         !> Names of the dimensions in Fortran's order, with commas between
         character(kind=c_char, len=*), intent(in), optional :: dimensions
         !> "name=value,name=value" for MPI-IO, the library and our exchange, or a profile:
         !> "archer2", "romio", "ompio"; names of hints are case-sensitive
         character(kind=c_char, len=*), intent(in), optional :: hints
         !> zarr: "none" (default) or "crc32c"
         character(kind=c_char, len=*), intent(in), optional :: checksum
         !> zarr: "none" (default) or "zstd"
         character(kind=c_char, len=*), intent(in), optional :: compression
         !> "none" (default), or "file": return when everything is on the device
         character(kind=c_char, len=*), intent(in), optional :: sync
         !> Name of a format, when the ending is not to decide
         character(kind=c_char, len=*), intent(in), optional :: format
         !> Receives the hints that the library says are in force
         character(kind=c_char, len=*), intent(inout), optional :: hints_in_force
         !> Receives those asked for that are not in force as asked
         character(kind=c_char, len=*), intent(inout), optional :: hints_ignored
         !> 0, errno of the system, or a value of hr_stat; without it a failure stops the program
         integer(c_int), intent(out), optional :: iostat
         !> What went wrong and what to do; untouched on success
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_write_parallel

      subroutine hr_fortran_write_dataset_array(state, name, array, layout, step, dimensions, &
            & iostat, iomsg) bind(c, name="hr_fortran_write_dataset_array")
         import :: array_layout, c_char, c_int, dataset
         implicit none
         !> An open dataset
         type(dataset), intent(in) :: state
         !> Name of the array in it
         character(kind=c_char, len=*), intent(in) :: name
         !> This MPI rank's block, without halo: any section
         type(*), dimension(..), intent(in) :: array
         !> Where the block lies in the global array
         type(array_layout), intent(in) :: layout
         !> Number of this state along the unlimited dimension "step", an integer of any kind;
         !> default: the array has no steps
         type(*), dimension(..), intent(in), optional :: step
         !> As above
         character(kind=c_char, len=*), intent(in), optional :: dimensions
         !> As above
         integer(c_int), intent(out), optional :: iostat
         !> As above
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_write_dataset_array
   end interface write_array

   !> Read an array from a file or store, or from an open dataset, with any layout on any number of
   !> MPI ranks. Collective as write_array.
   !>
   !> Failures: those of write_array, `kind_mismatch`, `shape_mismatch`, `array_missing`,
   !> `step_missing`, `chunk_missing`, `checksum_mismatch`, `header_damaged`.
   interface read_array
      subroutine hr_fortran_read_parallel(file, array, layout, dataset, pattern, mode, transfer, &
            & hints, format, hints_in_force, hints_ignored, iostat, iomsg) &
            & bind(c, name="hr_fortran_read_parallel")
         import :: array_layout, c_char, c_int
         implicit none
         !> As in write_array
         character(kind=c_char, len=*), intent(in) :: file
         !> Where this MPI rank's block goes; elements between those of a section are not touched
         type(*), dimension(..), intent(inout) :: array
         !> Any layout of the extents that the file has
         type(array_layout), intent(in) :: layout
         !> As in write_array
         character(kind=c_char, len=*), intent(in), optional :: dataset
         !> As in write_array; a store is read as it is
         character(kind=c_char, len=*), intent(in), optional :: pattern
         !> As in write_array
         character(kind=c_char, len=*), intent(in), optional :: mode, transfer, hints, format
         !> As in write_array
         character(kind=c_char, len=*), intent(inout), optional :: hints_in_force, hints_ignored
         !> As in write_array
         integer(c_int), intent(out), optional :: iostat
         !> As in write_array
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_read_parallel

      subroutine hr_fortran_read_dataset_array(state, name, array, layout, step, iostat, iomsg) &
            & bind(c, name="hr_fortran_read_dataset_array")
         import :: array_layout, c_char, c_int, dataset
         implicit none
         !> An open dataset
         type(dataset), intent(in) :: state
         !> Name of the array in it
         character(kind=c_char, len=*), intent(in) :: name
         !> As above
         type(*), dimension(..), intent(inout) :: array
         !> As above
         type(array_layout), intent(in) :: layout
         !> Number of the step to read; may be absent if there is only one
         type(*), dimension(..), intent(in), optional :: step
         !> As in write_array
         integer(c_int), intent(out), optional :: iostat
         !> As in write_array
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_read_dataset_array
   end interface read_array

   !> Read several steps of an array in a dataset at once: those whose numbers are first to last
   interface read_steps
      subroutine hr_fortran_read_dataset_steps(state, name, array, layout, first, last, iostat, &
            & iomsg) bind(c, name="hr_fortran_read_dataset_steps")
         import :: array_layout, c_char, c_int, dataset
         implicit none
         !> An open dataset
         type(dataset), intent(in) :: state
         !> Name of the array in it
         character(kind=c_char, len=*), intent(in) :: name
         !> This MPI rank's block, with one more dimension than the layout, the last one: an element
         !> for each of the steps
         type(*), dimension(..), intent(inout) :: array
         !> How one step is spread over the MPI ranks
         type(array_layout), intent(in) :: layout
         !> Integers: numbers of the first and the last step to read
         type(*), dimension(..), intent(in) :: first, last
         !> As in write_array
         integer(c_int), intent(out), optional :: iostat
         !> As in write_array
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_read_dataset_steps
   end interface read_steps

end module headrace_mpi_arrays
