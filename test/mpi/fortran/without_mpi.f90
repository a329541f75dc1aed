!> Calls before MPI_Init and after MPI_Finalize: each says that MPI is not running, and none ends
!> the program.
program without_mpi
   use, intrinsic :: iso_fortran_env, only : real64
   use checks, only : check, check_status, finish
   use headrace_mpi, only : abandon_dataset, array_layout, close_dataset, dataset, flush_dataset, &
      & free_layout, hr_stat, make_layout, open_dataset, read_array, write_array
   use mpi, only : MPI_COMM_WORLD, MPI_Comm_rank, MPI_Comm_size, MPI_Finalize, MPI_Init
   implicit none
   character(len=*), parameter :: formats(*) = [character(len=7) :: "zarr", "hdf5", "netcdf4", &
      & "pnetcdf"]
   type(array_layout) :: layout, late
   type(dataset) :: state, written(size(formats)), abandoned(size(formats)), there(size(formats))
   real(real64) :: block(5)
   logical :: is_there(size(formats))
   integer :: me, ranks, stat, ierror, i
   character(len=400) :: message

   call make_layout(late, MPI_COMM_WORLD, global=[5], start=[1], count=[5], iostat=stat, &
      & iomsg=message)
   call check_status(stat, hr_stat%argument_invalid, message, "MPI is not running")
   call open_dataset(state, "early.zarr", MPI_COMM_WORLD, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%argument_invalid, message, "MPI is not running")

   call MPI_Init(ierror)
   call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
   call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
   block = me
   call make_layout(layout, MPI_COMM_WORLD, global=[5 * ranks], start=[5 * me + 1], count=[5])
   do i = 1, size(formats)
      call open_dataset(written(i), "late."//formats(i), MPI_COMM_WORLD, action="write", &
         & format=trim(formats(i)), &
         & iostat=stat, iomsg=message)
      is_there(i) = stat /= hr_stat%backend_unavailable
      if (.not. is_there(i)) cycle
      call check(stat == 0, trim(message))
      call write_array(written(i), "u", block, layout)
      call flush_dataset(written(i))
      call write_array(written(i), "v", block, layout)
      call open_dataset(abandoned(i), "lost."//formats(i), MPI_COMM_WORLD, action="write", &
         & format=trim(formats(i)))
      call write_array(abandoned(i), "u", block, layout)
      call open_dataset(there(i), "late."//formats(i), MPI_COMM_WORLD, format=trim(formats(i)))
      call read_array(there(i), "u", block, layout)
   end do
   call MPI_Finalize(ierror)

   call make_layout(late, MPI_COMM_WORLD, global=[5], start=[1], count=[5], iostat=stat, &
      & iomsg=message)
   call check_status(stat, hr_stat%argument_invalid, message, "MPI is not running")
   call open_dataset(state, "late.zarr", MPI_COMM_WORLD, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%argument_invalid, message, "MPI is not running")
   call write_array("late.npy", block, layout, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%argument_invalid, message, "MPI is not running")
   do i = 1, size(formats)
      if (.not. is_there(i)) cycle
      call write_array(written(i), "w", block, layout, iostat=stat, iomsg=message)
      call check_status(stat, hr_stat%argument_invalid, message, "MPI is not running")
      call flush_dataset(written(i), iostat=stat, iomsg=message)
      call check_status(stat, hr_stat%argument_invalid, message, "MPI is not running")
      call close_dataset(written(i), iostat=stat, iomsg=message)
      call check_status(stat, hr_stat%argument_invalid, message, "MPI is not running")
      call abandon_dataset(abandoned(i), iostat=stat, iomsg=message)
      call check(stat == 0, "abandoning: "//trim(message))
      call read_array(there(i), "u", block, layout, iostat=stat, iomsg=message)
      call check_status(stat, hr_stat%argument_invalid, message, "MPI is not running")
      call close_dataset(there(i), iostat=stat, iomsg=message)
      call check(stat == 0, "closing what was read: "//trim(message))
   end do
   call free_layout(layout, iostat=stat, iomsg=message)
   call check(stat == 0, "freeing a layout: "//trim(message))
   call finish()
end program without_mpi
