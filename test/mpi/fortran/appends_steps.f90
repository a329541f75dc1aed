!> Adds steps to a dataset that is there, flushes them, and finds them though it is never closed; a
!> format that cannot append says so
program appends_steps
   use, intrinsic :: iso_fortran_env, only : int64
   use mpi_f08, only : MPI_COMM_WORLD, MPI_Comm_rank, MPI_Comm_size, MPI_Finalize, MPI_Init
   use headrace_mpi, only : abandon_dataset, array_layout, close_dataset, dataset, describe_array, &
      & flush_dataset, hr_stat, make_layout, open_dataset, read_array, write_array
   implicit none
   type(array_layout) :: layout
   type(dataset) :: series, found
   integer :: own(4), back(4)
   integer :: rank, ranks, step, status
   integer(int64) :: steps, numbers(3)
   character(len=200) :: message

   call MPI_Init()
   call MPI_Comm_rank(MPI_COMM_WORLD, rank)
   call MPI_Comm_size(MPI_COMM_WORLD, ranks)
   call make_layout(layout, MPI_COMM_WORLD, global=[4*ranks], start=[4*rank + 1], count=[4])

   call open_dataset(series, "steps.zarr", MPI_COMM_WORLD, action="write")
   call write_array(series, "n", rank + [1, 2, 3, 4], layout, step=1)
   call close_dataset(series)
   call open_dataset(series, "steps.zarr", MPI_COMM_WORLD, action="append")
   do step = 2, 3
      own = rank + [1, 2, 3, 4]*step
      call write_array(series, "n", own, layout, step=step)
   end do
   status = -1
   call flush_dataset(series, iostat=status)
   if (status /= 0) error stop "the flush failed"

   call open_dataset(found, "steps.zarr", MPI_COMM_WORLD)
   call describe_array(found, "n", steps=steps, step_numbers=numbers)
   if (steps /= 3 .or. any(numbers /= [1, 2, 3])) error stop "other steps"
   do step = 1, 3
      call read_array(found, "n", back, layout, step=step)
      if (any(back /= rank + [1, 2, 3, 4]*step)) error stop "other values"
   end do
   call close_dataset(found)
   call abandon_dataset(series)

   message = ""
   call flush_dataset(series, iostat=status, iomsg=message)
   if (status /= hr_stat%handle_closed) error stop "a closed dataset was flushed"
   if (len_trim(message) == 0) error stop "no message"
   call open_dataset(series, "steps.npy", MPI_COMM_WORLD, action="append", iostat=status, &
      & iomsg=message)
   if (status /= hr_stat%argument_invalid) error stop "npy files have no steps"
   if (index(message, "zarr") == 0) error stop "the message names no format that can"
   if (rank == 0) print "(a)", "appends steps: done"
   call MPI_Finalize()
end program appends_steps
