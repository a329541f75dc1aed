"""Programs that call HDF5, NetCDF and PnetCDF for each element get the advice; with whole arrays they get none."""

import shutil
import subprocess
from pathlib import Path

import pytest

from headrace.trace.results import Trace
from trace_programs import Run

HDF5 = """\
program elements
   use hdf5
   implicit none
   integer, parameter :: n = 80000
   integer :: failed, i
   integer(hid_t) :: file, space, dataset, one
   real(8) :: x(n)
   x = [(real(i, 8), i=1, n)]
   call h5open_f(failed)
   call h5fcreate_f('x.h5', h5f_acc_trunc_f, file, failed)
   call h5screate_simple_f(1, [int(n, hsize_t)], space, failed)
   call h5dcreate_f(file, 'x', h5t_native_double, space, dataset, failed)
   call h5screate_simple_f(1, [1_hsize_t], one, failed)
   WRITE
   call h5dclose_f(dataset, failed)
   call h5fclose_f(file, failed)
end program elements
"""
HDF5_ELEMENTS = """
   do i = 1, n
      call h5sselect_hyperslab_f(space, h5s_select_set_f, [int(i - 1, hsize_t)], [1_hsize_t], failed)
      call h5dwrite_f(dataset, h5t_native_double, x(i), [1_hsize_t], failed, one, space)
   end do
"""
HDF5_WHOLE = "call h5dwrite_f(dataset, h5t_native_double, x, [int(n, hsize_t)], failed)"

NETCDF = """\
program elements
   use, intrinsic :: iso_c_binding
   implicit none
   interface
      integer(c_int) function nc_create(path, mode, file) bind(c)
         import
         character(c_char) :: path(*)
         integer(c_int), value :: mode
         integer(c_int) :: file
      end function
      integer(c_int) function nc_def_dim(file, name, length, dimension) bind(c)
         import
         integer(c_int), value :: file
         character(c_char) :: name(*)
         integer(c_size_t), value :: length
         integer(c_int) :: dimension
      end function
      integer(c_int) function nc_def_var(file, name, kind, rank, dimensions, variable) bind(c)
         import
         integer(c_int), value :: file, kind, rank
         character(c_char) :: name(*)
         integer(c_int) :: dimensions(*), variable
      end function
      integer(c_int) function nc_put_var1_double(file, variable, place, value) bind(c)
         import
         integer(c_int), value :: file, variable
         integer(c_size_t) :: place(*)
         real(c_double) :: value
      end function
      integer(c_int) function nc_put_var_double(file, variable, values) bind(c)
         import
         integer(c_int), value :: file, variable
         real(c_double) :: values(*)
      end function
      integer(c_int) function nc_enddef(file) bind(c)
         import
         integer(c_int), value :: file
      end function
      integer(c_int) function nc_redef(file) bind(c)
         import
         integer(c_int), value :: file
      end function
      integer(c_int) function nc_close(file) bind(c)
         import
         integer(c_int), value :: file
      end function
   end interface
   integer, parameter :: n = 20000
   integer(c_int) :: file, dimension(1), variable, failed
   integer :: i
   real(c_double) :: x(n)
   x = [(real(i, 8), i=1, n)]
   failed = nc_create('x.nc'//c_null_char, 4096, file)
   failed = nc_def_dim(file, 'i'//c_null_char, int(n, c_size_t), dimension(1))
   failed = nc_def_var(file, 'x'//c_null_char, 6, 1, dimension, variable)
   failed = nc_enddef(file)
   WRITE
   failed = nc_close(file)
end program elements
"""
NETCDF_ELEMENTS = """
   do i = 1, n
      failed = nc_put_var1_double(file, variable, [int(i - 1, c_size_t)], x(i))
   end do
"""
NETCDF_REDEFINED = """
   do i = 1, 3000
      failed = nc_redef(file)
      failed = nc_enddef(file)
   end do
"""
NETCDF_WHOLE = "failed = nc_put_var_double(file, variable, x)"

PNETCDF = """\
program elements
   use mpi
   use pnetcdf
   implicit none
   integer, parameter :: n = 20000
   integer :: failed, i, file, dimension, variable
   real(8) :: x(n)
   x = [(real(i, 8), i=1, n)]
   call mpi_init(failed)
   failed = nf90mpi_create(mpi_comm_world, 'x.nc', nf90_clobber, mpi_info_null, file)
   failed = nf90mpi_def_dim(file, 'i', int(n, mpi_offset_kind), dimension)
   failed = nf90mpi_def_var(file, 'x', nf90_double, [dimension], variable)
   failed = nf90mpi_enddef(file)
   WRITE
   failed = nf90mpi_close(file)
   call mpi_finalize(failed)
end program elements
"""
PNETCDF_ELEMENTS = """
   do i = 1, n
      failed = nf90mpi_put_var_all(file, variable, x(i), start=[int(i, mpi_offset_kind)])
   end do
"""
PNETCDF_WHOLE = "failed = nf90mpi_put_var_all(file, variable, x)"

HDF5_COMPILER = ("h5pfc.openmpi", "-shlib")
MODULES = "/usr/lib/x86_64-linux-gnu/fortran/gfortran-mod-15"
CASES = {
    "HDF5 elements": (HDF5_COMPILER, HDF5, HDF5_ELEMENTS, HDF5_WHOLE, {"HR602"}),
    "NetCDF elements": (("mpifort.openmpi",), NETCDF, NETCDF_ELEMENTS, NETCDF_WHOLE, {"HR601"}),
    "NetCDF redefined": (("mpifort.openmpi",), NETCDF, NETCDF_REDEFINED, NETCDF_WHOLE, {"HR604"}),
    "PnetCDF elements": (("mpifort.openmpi", f"-I{MODULES}"), PNETCDF, PNETCDF_ELEMENTS, PNETCDF_WHOLE, {"HR601"}),
}
LIBRARIES = {"HDF5": (), "NetCDF": ("-lnetcdf_mpi",), "PnetCDF": ("-lpnetcdf",)}


@pytest.mark.parametrize("name", CASES)
def test_the_advice_is_given_and_goes_with_its_cause(name: str, headrace: Run, tmp_path: Path) -> None:
    compiler, program, before, after, rules = CASES[name]
    if not shutil.which(compiler[0]):
        pytest.skip(f"{compiler[0]} is not installed")
    for number, (body, expected) in enumerate(((before, rules), (after, set()))):
        (tmp_path / "x.f90").write_text(program.replace("   WRITE\n", f"   {body}\n"))
        built = subprocess.run(
            [*compiler, "-g", "x.f90", "-o", f"x{number}", *LIBRARIES[name.split()[0]]],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=120,
        )
        if "cannot find -l" in built.stderr or "Cannot open module file" in built.stderr:
            pytest.skip(f"{name.split()[0]}: there is no library of it for Fortran")
        assert built.returncode == 0, built.stderr
        done = headrace("trace", "--save", "x", "--json", "x.json", f"./x{number}", OMPI_MCA_btl="self")
        assert done.returncode == 0, done.stderr
        trace = Trace.model_validate_json((tmp_path / "x.json").read_text())
        assert {advice.rule for advice in trace.advice} == expected, done.stderr
        if expected:
            (advice,) = trace.advice
            assert advice.place.startswith("x.f90:"), advice.place
            assert advice.after is not None and advice.after.seconds < advice.before / 3
