// Room for what a NetCDF library writes beside the elements. HDF5 waits for ever for an MPI rank
// that cannot write its metadata, and OMPIO says nothing of a header that did not fit.
#pragma once

#include "../core/communicator.hpp"

namespace headrace {

// Collective; MPI rank 0 acts. Takes blocks behind the end of the file and behind an array of so
// many bytes that begins there, where the file system can do that. Failures ENOSPC, EDQUOT.
status reserve_netcdf_metadata(const communicator& comm, const std::string& file,
                               std::int64_t bytes);

// Not collective: gives back what lies behind the end of the file.
void release_netcdf_metadata(const std::string& file) noexcept;

}  // namespace headrace
