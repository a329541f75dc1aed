!> The program that wrote state.nc, state.pnc and state.h5 beside it: what headrace_mpi makes of
!> every kind. mpirun -n 1 state state.nc; test_convert_library_files.py reads them.
program state
   use, intrinsic :: iso_fortran_env, only : int16, real32, real64
   use headrace_mpi, only : array_layout, close_dataset, dataset, make_layout, open_dataset, &
                            write_array
   use mpi_f08, only : MPI_COMM_WORLD, MPI_Finalize, MPI_Init
   implicit none

   type(array_layout) :: plane, line
   type(dataset) :: file
   character(200) :: name
   character(6) :: lab(5, 4)
   character(1) :: one(7)
   logical :: mask(5, 4)
   real(real64) :: u(5, 4)
   complex(real64) :: z(5, 4)
   complex(real32) :: c(7)
   integer(int16) :: n(7)
   integer :: i, j

   do j = 1, 4
      do i = 1, 5
         mask(i, j) = mod(i + j, 3) == 0
         write (lab(i, j), "(a,i0,a,i0)") "L", i, "-", j
         u(i, j) = i + 10*j
         z(i, j) = cmplx(i, -j, real64)
      end do
   end do
   lab(5, 4) = ""
   do i = 1, 7
      one(i) = achar(96 + i)
      c(i) = cmplx(i, 2*i, real32)
      n(i) = int(-i, int16)
   end do
   call MPI_Init()
   call get_command_argument(1, name)
   call make_layout(plane, MPI_COMM_WORLD, global=[5, 4], start=[1, 1], count=[5, 4])
   call make_layout(line, MPI_COMM_WORLD, global=[7], start=[1], count=[7])
   call open_dataset(file, name, MPI_COMM_WORLD, action="write")
   call write_array(file, "u", u, plane, dimensions="x,y")
   call write_array(file, "mask", mask, plane, dimensions="x,y")
   call write_array(file, "lab", lab, plane)
   call write_array(file, "one", one, line)
   call write_array(file, "z", z, plane)
   call write_array(file, "c", c, line)
   call write_array(file, "n", n, line)
   call close_dataset(file)
   call MPI_Finalize()
end program state
