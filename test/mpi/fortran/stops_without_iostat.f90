!> Without iostat a failure stops the program: stops_without_iostat all|one|alone. all: it is the
!> failure of all MPI ranks; one: what the last passes is wrong; alone: only the last makes a call.
program stops_without_iostat
   use, intrinsic :: iso_fortran_env, only : output_unit, real64
   use headrace_mpi, only : array_layout, make_layout, write_array
   use mpi, only : MPI_COMM_SELF, MPI_COMM_WORLD
   implicit none
   type(array_layout) :: layout, own
   real(real64) :: field(10, 5)
   character(len=10) :: what
   integer :: me, ranks, rows, ierror

   call get_command_argument(1, what)
   call MPI_Init(ierror)
   call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
   call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
   call make_layout(layout, MPI_COMM_WORLD, global=[10, 5 * ranks], start=[1, 5 * me + 1], &
      & count=[10, 5])
   call make_layout(own, MPI_COMM_SELF, global=[10, 5], start=[1, 1], count=[10, 5])
   field = me
   rows = 10
   if (what == "one" .and. me == ranks - 1) rows = 9

   select case (what)
   case ("all")
      call write_array("no_such_directory/all.npy", field, layout)
   case ("one")
      call write_array("one.npy", field(:rows, :), layout)
   case ("alone")
      if (me == ranks - 1) call write_array("no_such_directory/alone.npy", field, own)
      call MPI_Barrier(MPI_COMM_WORLD, ierror)
   case default
      error stop "no such test"
   end select
   write(output_unit, "(a, i0, a)") "MPI rank ", me, " went on"
   call MPI_Finalize(ierror)
end program stops_without_iostat
