!> What one MPI rank passes that is wrong for it alone, from Fortran: the others hear of it and none
!> waits. The test's time limit tells a wait.
program one_rank_alone
   use, intrinsic :: iso_fortran_env, only : int64, real64
   use checks, only : check, check_status, finish
   use headrace_mpi, only : abandon_dataset, array_layout, close_dataset, dataset, &
      & describe_array, free_layout, hr_stat, make_layout, open_dataset, read_array, write_array
   use mpi, only : MPI_Comm_rank, MPI_Comm_size, MPI_COMM_WORLD, MPI_Finalize, MPI_Init
   implicit none
   type(array_layout) :: layout
   type(dataset) :: state
   real(real64), allocatable :: block(:)
   integer(int64) :: numbers(2), steps
   integer :: me, ranks, stat, ierror
   logical :: alone
   character(len=400) :: message

   call MPI_Init(ierror)
   call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
   call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
   alone = me == ranks - 1
   allocate(block(5))
   block = me
   call make_layout(layout, MPI_COMM_WORLD, global=[5 * ranks], start=[5 * me + 1], count=[5])

   call open_dataset(state, "steps.zarr", MPI_COMM_WORLD, action="write")
   call write_array(state, "u", block, layout, step=3)
   call write_array(state, "u", block, layout, step=5)
   call close_dataset(state)

   ! One wants to know the numbers of the steps, the others nothing.
   call open_dataset(state, "steps.zarr", MPI_COMM_WORLD)
   numbers = 0
   if (alone) then
      call describe_array(state, "u", step_numbers=numbers)
   else
      call describe_array(state, "u", steps=steps)
   end if
   if (alone) call check(all(numbers == [3_int64, 5_int64]), "the steps of one alone")
   if (.not. alone) call check(steps == 2, "how many steps the others found")
   call read_array(state, "u", block, layout, step=merge(4, 5, alone), iostat=stat, iomsg=message)
   if (ranks > 1) call check_status(stat, hr_stat%ranks_disagree, message, "different arrays")
   call close_dataset(state)

   if (alone) deallocate(block)
   call write_array("alone.npy", block, layout, iostat=stat, iomsg=message)
   call check(stat /= 0, "an array that one has not allocated: "//trim(message))
   call open_dataset(state, "alone.zarr", MPI_COMM_WORLD, action="write")
   call write_array(state, "u", block, layout, iostat=stat, iomsg=message)
   ! A small array is kept: that one knows at once, and the others when it is delivered.
   call check(stat /= 0 .eqv. alone, "of a dataset: "//trim(message))
   call abandon_dataset(state)
   call open_dataset(state, "alone.zarr", MPI_COMM_WORLD, action="write")
   call write_array(state, "u", block, layout, iostat=stat, iomsg=message)
   call close_dataset(state, iostat=stat, iomsg=message)
   ! Others have had success with what one refused.
   call check(stat /= 0 .neqv. ranks == 1, "closing after it: "//trim(message))
   if (alone) allocate(block(5))
   block = me

   if (alone) call free_layout(layout)
   call write_array("alone.npy", block, layout, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%handle_closed, message, "array_layout is closed")
   call finish()
   call MPI_Finalize(ierror)
end program one_rank_alone
