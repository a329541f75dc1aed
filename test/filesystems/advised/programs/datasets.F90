! Each step opens the HDF5 file again and adds a dataset.
program datasets
   use hdf5, only : h5open_f, h5close_f, h5fcreate_f, h5fopen_f, h5fclose_f, h5screate_simple_f, &
         h5dcreate_f, h5dwrite_f, h5dclose_f, hid_t, hsize_t, H5F_ACC_TRUNC_F, H5F_ACC_RDWR_F, &
         H5T_NATIVE_DOUBLE
   implicit none
   integer(hid_t) :: file, space, set
   integer(hsize_t) :: extent(1) = [1000]
   integer :: failed, step
   double precision :: x(1000)
   character(len=16) :: name

   x = 1.5d0
   call h5open_f(failed)
   call h5fcreate_f("steps.h5", H5F_ACC_TRUNC_F, file, failed)
   call h5fclose_f(file, failed)
   call h5screate_simple_f(1, extent, space, failed)
   do step = 1, STEPS
      write (name, "(a, i0)") "step", step
      call h5fopen_f("steps.h5", H5F_ACC_RDWR_F, file, failed)
      call h5dcreate_f(file, trim(name), H5T_NATIVE_DOUBLE, space, set, failed)
      call h5dwrite_f(set, H5T_NATIVE_DOUBLE, x, extent, failed)
      call h5dclose_f(set, failed)
      call h5fclose_f(file, failed)
   end do
   call h5close_f(failed)
end program datasets
