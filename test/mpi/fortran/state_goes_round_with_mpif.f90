!> Spread arrays from a program that uses mpif.h.
program state_goes_round_with_mpif
   use, intrinsic :: iso_fortran_env, only : int64, real64
   use checks, only : check, check_status, finish
   use headrace_mpi, only : array_layout, close_dataset, dataset, describe_array, free_layout, &
      & hr_stat, make_layout, open_dataset, read_array, read_attribute, read_steps, &
      & write_array, write_attribute
   implicit none
   include "mpif.h"
   integer :: comm
   include "state_goes_round.inc"

contains

include "go_round.inc"

include "start_and_stop.inc"

end program state_goes_round_with_mpif
