// Whether what PnetCDF wrote of one MPI rank alone is in the file. Open MPI's OMPIO reports success
// of a write that failed or was cut, and PnetCDF does not ask how much was written.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "types.hpp"

namespace headrace {

// Where a section lies: first, the byte at which its variable or record begins, and the lengths of
// its dimensions, of which the record's is 1 and begins at 0.
struct pnetcdf_part {
  std::int64_t first = 0;
  std::vector<std::int64_t> lengths;
  netcdf_section section;
};

// Not collective. What fails on the way through a range of the file is missing from there to its
// end, so the last element of each MiB that is not zero must be there. Short runs are read back
// together, at most 1 MiB of the file at a time. Failure EIO.
status check_ends_written(const std::string& file, const pnetcdf_part& part, netcdf_type type,
                          const void* values);

}  // namespace headrace
