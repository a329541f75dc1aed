! Each MPI rank writes its part into a file of its own, whole arrays at a time: nothing is wrong.
program own_files
   use mpi, only : MPI_COMM_WORLD
   implicit none
   integer :: rank, failed, unit, step
   double precision :: x(100000)
   character(len=16) :: name

   call MPI_Init(failed)
   call MPI_Comm_rank(MPI_COMM_WORLD, rank, failed)
   x = rank
   write (name, "(a, i0)") "part", rank
   open (newunit=unit, file=trim(name), form="unformatted", access="stream", &
         status="replace", action="write")
   do step = 1, STEPS
      write (unit) x
   end do
   close (unit)
   call MPI_Finalize(failed)
end program own_files
