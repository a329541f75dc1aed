// Room for what a NetCDF library writes beside the elements. HDF5 waits for ever for an MPI rank
// that cannot write its metadata, and OMPIO says nothing of a header that did not fit.
#pragma once

#include <string>
#include <vector>

#include "../../disk/byte_ranges.hpp"
#include "../../together/communicator.hpp"
#include "../../together/function_ref.hpp"

namespace headrace {

// Definitions of an array with some attributes; HDF5 asks for 2 KiB at a time.
inline constexpr std::int64_t netcdf_metadata_bytes = std::int64_t{32} << 10;

// Collective: the length of the file, as MPI rank 0 sees it.
std::int64_t length_for_all(const communicator& comm, const std::string& file);
// Collective: the places that find() tells MPI rank 0.
using place_search = function_ref<status(std::vector<byte_range>&)>;
status places_from_root(const communicator& comm, const place_search& find,
                        std::vector<byte_range>& places);

}  // namespace headrace
