!> Arrays that are spread over the MPI ranks of a communicator, to and from one logical array.
!>
!>     program write_a_spread_array
!>        use headrace_mpi, only : array_layout, make_layout, read_array, write_array
!>        use mpi_f08, only : MPI_COMM_WORLD, MPI_Comm_rank, MPI_Comm_size, MPI_Finalize, MPI_Init
!>        implicit none
!>        type(array_layout) :: layout
!>        real :: local(100, 50), back(100, 50)
!>        integer :: me, ranks
!>
!>        call MPI_Init()
!>        call MPI_Comm_rank(MPI_COMM_WORLD, me)
!>        call MPI_Comm_size(MPI_COMM_WORLD, ranks)
!>        call random_number(local)
!>        call make_layout(layout, MPI_COMM_WORLD, global=[100, 50*ranks], &
!>           & start=[1, 50*me + 1], count=[100, 50])
!>
!>        call write_array("restart.zarr", local, layout)   ! one logical array: any number of
!>        call read_array("restart.zarr", back, layout)     ! MPI ranks reads it with any layout
!>        if (all(back == local)) print "(a, i0, a)", "MPI rank ", me, ": equal"
!>        call MPI_Finalize()
!>     end program write_a_spread_array
!>
!> This module is the whole interface. Next: headrace_mpi/layouts.f90 and headrace_mpi/arrays.f90.
module headrace_mpi
   use headrace_mpi_arrays, only : write_array, read_array, read_steps
   use headrace_mpi_datasets, only : dataset, open_dataset, flush_dataset, close_dataset, &
      & abandon_dataset, write_attribute, read_attribute, describe_array, list_arrays
   use headrace_mpi_layouts, only : array_layout, make_layout, make_reading_layout, free_layout
   use headrace_status, only : hr_stat
   implicit none
   private

   public :: array_layout, make_layout, make_reading_layout, free_layout
   public :: write_array, read_array, read_steps
   public :: dataset, open_dataset, flush_dataset, close_dataset, abandon_dataset
   public :: write_attribute, read_attribute, describe_array, list_arrays
   public :: hr_stat

end module headrace_mpi
