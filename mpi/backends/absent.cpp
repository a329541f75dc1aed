// The formats whose library CMake did not find: they are refused with the reason.
#include "backend.hpp"

namespace headrace {
namespace {

[[maybe_unused]] constexpr backend absent(const char* name, const char* endings, const char* why) {
  return {name, endings, 0,      write_pattern::automatic, transfer_way::automatic,
          why,  nullptr, nullptr};
}

}  // namespace

#if !defined(HEADRACE_HAVE_HDF5)
const backend hdf5_backend = absent("hdf5", ".h5 .hdf5", HEADRACE_ABSENT_HDF5);
#endif
#if !defined(HEADRACE_HAVE_NETCDF)
const backend netcdf4_backend = absent("netcdf4", ".nc .nc4", HEADRACE_ABSENT_NETCDF);
#endif
#if !defined(HEADRACE_HAVE_PNETCDF)
const backend pnetcdf_backend = absent("pnetcdf", ".pnc .cdf5", HEADRACE_ABSENT_PNETCDF);
#endif
#if !defined(HEADRACE_HAVE_ADIOS2)
const backend adios2_backend = absent("adios2", ".bp", HEADRACE_ABSENT_ADIOS2);
#endif

}  // namespace headrace

// TEMPORARY until those files are there.
namespace headrace {
#if !__has_include("zarr.cpp")
const backend zarr_backend = absent("zarr", ".zarr", "not written yet");
#endif
#if !__has_include("statements.cpp")
const backend statements_backend = absent("statements", "", "not written yet");
#endif
#if defined(HEADRACE_HAVE_HDF5) && !__has_include("hdf5.cpp")
const backend hdf5_backend = absent("hdf5", ".h5 .hdf5", "not written yet");
#endif
#if defined(HEADRACE_HAVE_NETCDF) && !__has_include("netcdf4.cpp")
const backend netcdf4_backend = absent("netcdf4", ".nc .nc4", "not written yet");
#endif
#if defined(HEADRACE_HAVE_PNETCDF) && !__has_include("pnetcdf.cpp")
const backend pnetcdf_backend = absent("pnetcdf", ".pnc .cdf5", "not written yet");
#endif
#if defined(HEADRACE_HAVE_ADIOS2) && !__has_include("adios2.cpp")
const backend adios2_backend = absent("adios2", ".bp", "not written yet");
#endif
}  // namespace headrace
