// Where HDF5 puts the elements of a NetCDF-4 variable, which NetCDF itself does not tell.
#pragma once

#include <string>
#include <vector>

#include "../../../src/core/status.hpp"
#include "../../disk/byte_ranges.hpp"
#include "../../together/function_ref.hpp"

namespace headrace {

// Collective, of a file that all MPI ranks have open. HDF5 gives all records up to `last` a place,
// also those that nobody has written, which NetCDF would ask for in the middle of writing.
// extends: not of a file that is only read.
// found: the ranges of records first to last, or of the whole variable where last is -1; none where
// HDF5 does not tell.
// agreed(): the outcome on all MPI ranks that have the file open, before HDF5 waits for them.
status netcdf4_places(const std::string& file, function_ref<status(std::string& name)> find_name,
                      std::int64_t first, std::int64_t last, bool extends,
                      function_ref<status(status mine)> agreed, std::vector<byte_range>& found);

}  // namespace headrace
