! MPI ranks write pieces of 128 bytes in turn, by collective calls.
program pieces
   use mpi, only : MPI_COMM_WORLD, MPI_DOUBLE_PRECISION, MPI_INFO_NULL, MPI_MODE_CREATE, &
         MPI_MODE_RDWR, MPI_OFFSET_KIND, MPI_STATUS_IGNORE
   implicit none
   integer, parameter :: values = 16
   integer :: rank, ranks, failed, file, view, step
   integer(MPI_OFFSET_KIND) :: place
   double precision :: x(values*PIECES)

   call MPI_Init(failed)
   call MPI_Comm_rank(MPI_COMM_WORLD, rank, failed)
   call MPI_Comm_size(MPI_COMM_WORLD, ranks, failed)
   x = rank
   call MPI_Type_vector(PIECES, values, values*ranks, MPI_DOUBLE_PRECISION, view, failed)
   call MPI_Type_commit(view, failed)
   call MPI_File_open(MPI_COMM_WORLD, "pieces", MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, &
         file, failed)
   do step = 0, STEPS - 1
      place = 8_MPI_OFFSET_KIND*values*(rank + ranks*PIECES*step)
      call MPI_File_set_view(file, place, MPI_DOUBLE_PRECISION, view, "native", &
            MPI_INFO_NULL, failed)
      call MPI_File_write_all(file, x, size(x), MPI_DOUBLE_PRECISION, MPI_STATUS_IGNORE, failed)
   end do
   call MPI_File_close(file, failed)
   call MPI_Finalize(failed)
end program pieces
