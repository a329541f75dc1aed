!> Writes an array in blocks and reads each block with a column of its neighbours, which a layout
!> for reading may have
program reads_halos
   use mpi_f08, only : MPI_COMM_WORLD, MPI_Comm_rank, MPI_Comm_size, MPI_Finalize, MPI_Init
   use headrace_mpi, only : array_layout, close_dataset, dataset, free_layout, hr_stat, &
      & list_arrays, make_layout, make_reading_layout, open_dataset, read_array, write_array
   implicit none
   integer, parameter :: rows = 5, columns = 4
   type(array_layout) :: blocks, halos
   real, allocatable :: own(:, :), wide(:, :)
   integer :: rank, ranks, all_columns, first, last, i, j, status
   character(len=200) :: message
   type(dataset) :: state
   character(len=:), allocatable :: names(:)

   call MPI_Init()
   call MPI_Comm_rank(MPI_COMM_WORLD, rank)
   call MPI_Comm_size(MPI_COMM_WORLD, ranks)
   all_columns = columns*ranks
   allocate(own(rows, columns))
   do j = 1, columns
      do i = 1, rows
         own(i, j) = real(i + 10*(rank*columns + j))
      end do
   end do
   call make_layout(blocks, MPI_COMM_WORLD, global=[rows, all_columns], &
      & start=[1, rank*columns + 1], count=[rows, columns])
   call write_array("halos.npy", own, blocks)

   first = max(1, rank*columns)
   last = min(all_columns, (rank + 1)*columns + 1)
   allocate(wide(rows, first:last))
   call make_reading_layout(halos, MPI_COMM_WORLD, global=[rows, all_columns], start=[1, first], &
      & count=[rows, last - first + 1])
   call read_array("halos.npy", wide, halos)
   do j = first, last
      do i = 1, rows
         if (nint(wide(i, j)) /= i + 10*j) error stop "another value came back"
      end do
   end do
   message = ""
   call write_array("refused.npy", wide, halos, iostat=status, iomsg=message)
   if (status /= hr_stat%layout_invalid) error stop "a layout for reading wrote"
   if (index(message, "make_reading_layout") == 0) error stop "the message names no procedure"
   call open_dataset(state, "named.zarr", MPI_COMM_WORLD, action="write")
   call write_array(state, "rho", own, blocks)
   call write_array(state, "pressure", own, blocks)
   call close_dataset(state)
   call open_dataset(state, "named.zarr", MPI_COMM_WORLD, action="read")
   call list_arrays(state, names)
   if (size(names) /= 2 .or. len(names) /= len("pressure")) error stop "not the names of two arrays"
   if (.not. (any(names == "rho") .and. any(names == "pressure"))) error stop "other names"
   call close_dataset(state)
   message = ""
   call list_arrays(state, names, iostat=status, iomsg=message)
   if (len_trim(message) == 0) error stop "no message"
   if (status /= hr_stat%handle_closed) error stop "a closed dataset has names"
   if (size(names) /= 0) error stop "names after a failure"
   call free_layout(halos)
   call free_layout(blocks)
   if (rank == 0) print "(a)", "reads_halos: passed"
   call MPI_Finalize()
end program reads_halos
