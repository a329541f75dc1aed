program write_a_spread_state
   use, intrinsic :: iso_fortran_env, only : int64, real64
   use headrace_mpi, only : array_layout, close_dataset, dataset, describe_array, make_layout, &
      & open_dataset, read_array, read_attribute, write_array, write_attribute
   use mpi_f08, only : MPI_COMM_WORLD, MPI_Comm_rank, MPI_Comm_size, MPI_Finalize, MPI_Init
   implicit none
   type(array_layout) :: layout
   type(dataset) :: state
   real :: rho(100, 50), u(100, 50), back(100, 50)
   real(real64) :: time
   integer :: me, ranks, step
   integer(int64) :: extents(7), steps, numbers(2)

   call MPI_Init()
   call MPI_Comm_rank(MPI_COMM_WORLD, me)
   call MPI_Comm_size(MPI_COMM_WORLD, ranks)
   call make_layout(layout, MPI_COMM_WORLD, global=[100, 50*ranks], &
      & start=[1, 50*me + 1], count=[100, 50])

   call open_dataset(state, "state.zarr", MPI_COMM_WORLD, action="write")
   do step = 12, 24, 12
      call random_number(rho)
      call random_number(u)
      call write_array(state, "rho", rho, layout, step=step, dimensions="x,y")
      call write_array(state, "u", u, layout, step=step, dimensions="x,y")
   end do
   call write_attribute(state, "time", 0.25_real64)
   call close_dataset(state)   ! only now does the new state replace the old

   call open_dataset(state, "state.zarr", MPI_COMM_WORLD)
   call describe_array(state, "u", global=extents, steps=steps, step_numbers=numbers)
   call read_array(state, "u", back, layout, step=numbers(steps))
   call read_attribute(state, "time", time)
   call close_dataset(state)
   if (all(back == u)) print "(a, i0, a, i0)", "MPI rank ", me, ": equal at step ", numbers(steps)
   call MPI_Finalize()
end program write_a_spread_state
