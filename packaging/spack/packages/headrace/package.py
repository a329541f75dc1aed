# SPDX-License-Identifier: Apache-2.0
"""Spack's recipe. In a checkout: spack repo add packaging/spack && spack install headrace."""

from pathlib import Path

from spack.package import conflicts, depends_on, license, variant, version

try:
    from spack_repo.builtin.build_systems.cmake import CMakePackage, generator
except ImportError:  # before Spack 1.0
    from spack.package import CMakePackage, generator


class Headrace(CMakePackage):
    """Fast Fortran I/O: text, binary files and parallel datasets for whole arrays, from Fortran and C."""

    # The recipe belongs to the checkout that it lies in: `spack install headrace` builds that checkout.
    homepage = "file://" + str(Path(__file__).resolve().parents[4])
    git = homepage

    license("Apache-2.0")

    version("main", branch="main")

    variant("shared", default=False, description="Build shared libraries")
    variant("fortran", default=True, description="Build the Fortran modules (without them only the C interface)")
    variant("mpi", default=False, description="Build headrace_mpi: arrays that are spread over MPI ranks")
    variant("zlib", default=True, description="Read and write .gz files")
    variant("libdeflate", default=True, when="+zlib", description="Write .gz files two to three times as fast")
    variant("zstd", default=True, description="Read and write .zst files")
    variant("zarr", default=True, when="+mpi", description="Zarr stores, and the worker of headrace bench parallel")
    variant("hdf5", default=True, when="+mpi", description="Parallel HDF5 files")
    variant("netcdf", default=False, when="+mpi", description="Parallel NetCDF-4 files")
    variant("pnetcdf", default=False, when="+mpi", description="NetCDF classic files through PnetCDF")
    variant("adios2", default=False, when="+mpi", description="ADIOS2 files")

    depends_on("cxx", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("cmake@3.20:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build", when="+mpi")
    depends_on("zlib-api", when="+zlib")
    depends_on("libdeflate", when="+libdeflate")
    depends_on("zstd", when="+zstd")
    depends_on("mpi", when="+mpi")
    depends_on("rapidjson", type="build", when="+zarr")
    depends_on("hdf5+mpi", when="+hdf5")
    depends_on("netcdf-c+mpi", when="+netcdf")
    depends_on("parallel-netcdf", when="+pnetcdf")
    depends_on("adios2+mpi", when="+adios2")

    generator("ninja")
    conflicts("~hdf5", when="+netcdf", msg="NetCDF-4 files are HDF5 files: headrace writes them with the HDF5 beneath")
    conflicts("%gcc@:11", when="+fortran", msg="headrace's Fortran modules need gfortran 12 or LLVM flang 19")

    def cmake_args(self):
        """What CMake would find by itself it must not find unless the variant asks for it."""
        arguments = [
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("HEADRACE_FORTRAN", "fortran"),
            self.define_from_variant("HEADRACE_MPI", "mpi"),
            self.define("CMAKE_DISABLE_FIND_PACKAGE_ZLIB", not self.spec.satisfies("+zlib")),
            self.define("CMAKE_DISABLE_FIND_PACKAGE_deflate", not self.spec.satisfies("+libdeflate")),
            self.define("CMAKE_DISABLE_FIND_PACKAGE_zstd", not self.spec.satisfies("+zstd")),
        ]
        if self.spec.satisfies("+mpi"):
            arguments.append(self.define("MPI_CXX_COMPILER", self.spec["mpi"].mpicxx))
        return arguments
