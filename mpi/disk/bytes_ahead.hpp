// Looks whether the bytes of an array can be read, before a library reads them: in collective reads
// MPI ranks wait for ever for an aggregator that cannot read, and Open MPI's OMPIO reports success
// with other values. Also after a library failed: its words have no errno. The file system tells
// without a copy of the bytes.
#pragma once

#include <string>
#include <vector>

#include "../together/communicator.hpp"
#include "byte_ranges.hpp"

namespace headrace {

// Where an array lies; no places: nobody knows.
struct bytes_ahead {
  std::string file;
  std::vector<byte_range> places{};  // in element order
  bool look_before = false;          // each call
};

// So many bytes are looked at before they are read, on all MPI ranks: they should still be in the
// cache then.
std::int64_t most_bytes_ahead(const communicator& comm);

// Not collective. Bytes [begin, end) of the array.
status look_at(const bytes_ahead& array, std::int64_t begin, std::int64_t end);
// Collective. The same, each MPI rank its share; those of a node lie together, about as the file
// domains of MPI-IO's aggregators do.
status look_together(const communicator& comm, const bytes_ahead& array, std::int64_t begin,
                     std::int64_t end);

}  // namespace headrace
