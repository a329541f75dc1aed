program chooses_the_format_by_ending_or_name
   use, intrinsic :: iso_c_binding, only : c_null_char
   use headrace, only : write_array, read_array, hr_stat
   use checks, only : check, check_status, finish
   implicit none
   character(len=100) :: name, message
   character(len=400) :: long
   real :: x(5), y(5)
   integer :: stat, bytes

   call random_number(x)
   name = "ending.BIN"
   call write_array(name, x, sync="file")
   inquire(file="ending.BIN", size=bytes)
   call check(bytes == 20, "trailing blanks of a file name do not count")
   call read_array("ending.BIN"//c_null_char, y)
   call check(all(x == y), "a null character ends a file name")

   call write_array("ending.xyz", x, iostat=stat, iomsg=long)
   call check_status(stat, hr_stat%format_unknown, long, "known are raw (.raw .bin)")
   call write_array("ending.xyz", x, format="raw   ", iostat=stat, iomsg=message)
   call check(stat == 0, "format= overrides the ending")
   y = 0
   call read_array("ending.xyz", y, format="RAW")
   call check(all(x == y), "case does not matter")
   call read_array("ending.xyz", y, format="cooked", iostat=stat, iomsg=long)
   call check_status(stat, hr_stat%format_unknown, long, """cooked""")
   call write_array("x.txt", x, format="(f8.3)", iostat=stat, iomsg=long)
   call check_status(stat, hr_stat%format_unknown, long, "give a Fortran format by edit=")
   call write_array("ending.raw", x, sync="perhaps", iostat=stat, iomsg=long)
   call check_status(stat, hr_stat%option_unknown, long, "known are ""none"", ""file""")
   call names_headrace_mpi("HDF5 files", "x.h5", "")
   call names_headrace_mpi("HDF5 files", "x.out", "HDF5")
   call names_headrace_mpi("NetCDF-4 files", "x.nc", "")
   call names_headrace_mpi("CDF-5 files", "x.pnc", "")
   call names_headrace_mpi("CDF-5 files", "x.cdf5", "")
   call names_headrace_mpi("ADIOS2's stores", "x.bp", "")
   call names_headrace_mpi("Zarr stores", "x.zarr", "")
   call names_headrace_mpi("Zarr stores", "x.zarr/", "")
   call write_array("x.npy/ ", x, iostat=stat, iomsg=long)
   call check_status(stat, hr_stat%argument_invalid, long, "npy files are files")
   call finish()

contains

!> The formats of the other library, by ending or name
subroutine names_headrace_mpi(files, file, format)
   character(len=*), intent(in) :: files, file, format

   call write_array(file, x, format=format, iostat=stat, iomsg=long)
   call check_status(stat, hr_stat%format_unknown, long, &
      & files//" are written and read by headrace_mpi: ")
   call read_array(file, y, format=format, iostat=stat, iomsg=long)
   call check_status(stat, hr_stat%format_unknown, long, " belongs to headrace_mpi; file ")
end subroutine names_headrace_mpi
end program chooses_the_format_by_ending_or_name
