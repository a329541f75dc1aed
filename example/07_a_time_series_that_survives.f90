program write_a_time_series
   use, intrinsic :: iso_fortran_env, only : int64
   use headrace_mpi, only : array_layout, close_dataset, dataset, describe_array, flush_dataset, &
      & make_layout, open_dataset, read_array, write_array
   use mpi_f08, only : MPI_COMM_WORLD, MPI_Comm_rank, MPI_Comm_size, MPI_Finalize, MPI_Init
   implicit none
   type(array_layout) :: layout
   type(dataset) :: series
   real :: rho(100, 50)
   integer :: me, ranks, step, last
   integer(int64) :: done, numbers(1000)
   logical :: there

   call MPI_Init()
   call MPI_Comm_rank(MPI_COMM_WORLD, me)
   call MPI_Comm_size(MPI_COMM_WORLD, ranks)
   call make_layout(layout, MPI_COMM_WORLD, global=[100, 50*ranks], &
      & start=[1, 50*me + 1], count=[100, 50])

   last = 0
   rho = 0.0
   inquire (file="series.zarr/zarr.json", exist=there)
   if (there) then   ! go on where the last run was killed, or ended
      call open_dataset(series, "series.zarr", MPI_COMM_WORLD, action="read")
      call describe_array(series, "rho", steps=done, step_numbers=numbers)
      last = int(numbers(done))
      call read_array(series, "rho", rho, layout, step=last)
      call close_dataset(series)
   end if
   call open_dataset(series, "series.zarr", MPI_COMM_WORLD, action="append")
   do step = last + 1, last + 3
      rho = rho + 1.0
      call write_array(series, "rho", rho, layout, step=step, dimensions="x,y")
      call flush_dataset(series)   ! this step survives whatever happens from here on
   end do
   call close_dataset(series)
   print "(a, i0, a, i0)", "MPI rank ", me, ": at step ", step - 1
   call MPI_Finalize()
end program write_a_time_series
