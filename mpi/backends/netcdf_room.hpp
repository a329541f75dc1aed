// Room for what a NetCDF library writes beside the elements. HDF5 waits for ever for an MPI rank
// that cannot write its metadata, and OMPIO says nothing of a header that did not fit.
#pragma once

#include "../core/communicator.hpp"

namespace headrace {

// Collective; every MPI rank may come to write metadata. Takes blocks behind the end of the file
// and behind an array of so many bytes that begins there, where the file system can do that.
// Failures ENOSPC, EDQUOT, EFBIG.
status reserve_netcdf_metadata(const communicator& comm, const std::string& file,
                               std::int64_t bytes);

// Collective; see take_room(). offset: where the elements of the array or record go, -1 where the
// library does not tell: behind what was the end of the file before the array was defined.
status take_room_of_netcdf_array(const communicator& comm, const std::string& file,
                                 std::int64_t offset, std::int64_t end, std::int64_t bytes);

}  // namespace headrace
