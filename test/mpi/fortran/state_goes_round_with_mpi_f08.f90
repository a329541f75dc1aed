!> Spread arrays from a program that uses the module mpi_f08.
program state_goes_round_with_mpi_f08
   use, intrinsic :: iso_fortran_env, only : int64, real64
   use checks, only : check, check_status, finish
   use headrace_mpi, only : array_layout, close_dataset, dataset, describe_array, free_layout, &
      & hr_stat, make_layout, open_dataset, read_array, read_attribute, read_steps, &
      & write_array, write_attribute
   use mpi_f08, only : MPI_Comm, MPI_Comm_rank, MPI_Comm_size, MPI_COMM_WORLD, MPI_Finalize, &
      & MPI_Init
   implicit none
   type(MPI_Comm) :: comm
   include "state_goes_round.inc"

contains

include "go_round.inc"

subroutine start(me, ranks)
   integer, intent(out) :: me, ranks

   call MPI_Init()
   comm = MPI_COMM_WORLD
   call MPI_Comm_rank(comm, me)
   call MPI_Comm_size(comm, ranks)
end subroutine start

subroutine stop_mpi()

   call MPI_Finalize()
end subroutine stop_mpi

end program state_goes_round_with_mpi_f08
