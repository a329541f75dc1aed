// Pages of files in memory, one on each MPI rank, which together hold what HDF5 wrote: each MPI
// rank has written other parts. Next: hdf5/descriptions.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <map>

#include "../../disk/positioned_file.hpp"
#include "../../together/communicator.hpp"

namespace headrace {

using hdf5_page = std::array<char, 4096>;
using hdf5_pages = std::map<std::int64_t, hdf5_page>;  // by their number in the file

// Not collective: the pages of an open file that differ from those that are known, or from null
// bytes. May throw std::bad_alloc.
status find_changed_pages(int file, const hdf5_pages& known, hdf5_pages& changed);

// Collective. Afterwards MPI rank 0 has the pages that any MPI rank changed, with all the bytes
// that were changed in them. known: the same on all.
status gather_pages(const communicator& comm, const hdf5_pages& known, hdf5_pages& changed);

// Collective: all MPI ranks get those of MPI rank 0.
status broadcast_pages(const communicator& comm, hdf5_pages& pages);

// Not collective: only the bytes that changed, because elements of arrays lie between them.
status write_changed_bytes(const positioned_file& disk, const hdf5_pages& known,
                           const hdf5_pages& changed);

// Not collective. size: of the file afterwards, which may end within the last page.
status write_pages(int memory, const hdf5_pages& pages, std::int64_t size);

}  // namespace headrace
