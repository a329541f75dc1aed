// The formats whose library CMake did not find: they are refused with the reason.
#include "backend.hpp"
#include "statements.hpp"

namespace headrace {
namespace {

[[maybe_unused]] constexpr backend absent(const char* name, const char* why) {
  return {name, 0, write_pattern::automatic, transfer_way::automatic, why, nullptr, nullptr};
}

}  // namespace

#if !defined(HEADRACE_HAVE_ZARR)
const backend zarr_backend = absent("zarr", HEADRACE_ABSENT_ZARR);
// Its chunks are those of a Zarr store.
const backend statements_backend = absent("statements", HEADRACE_ABSENT_ZARR);
const char* statements_unavailable() noexcept {
  return HEADRACE_ABSENT_ZARR;
}
#endif
#if !defined(HEADRACE_HAVE_HDF5)
const backend hdf5_backend = absent("hdf5", HEADRACE_ABSENT_HDF5);
#endif
#if !defined(HEADRACE_HAVE_NETCDF)
const backend netcdf4_backend = absent("netcdf4", HEADRACE_ABSENT_NETCDF);
#endif
#if !defined(HEADRACE_HAVE_PNETCDF)
const backend pnetcdf_backend = absent("pnetcdf", HEADRACE_ABSENT_PNETCDF);
#endif
#if !defined(HEADRACE_HAVE_ADIOS2)
const backend adios2_backend = absent("adios2", HEADRACE_ABSENT_ADIOS2);
#endif

}  // namespace headrace

#if !defined(HEADRACE_HAVE_ZARR)
extern "C" void hr_mpi_use_statements(hr_statement_open /*open*/, hr_statement_move /*write*/,
                                      hr_statement_move /*read*/, hr_statement_close /*close*/) {}
#endif
