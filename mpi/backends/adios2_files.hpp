// The files of a store that is being written. What can fail is tried here, before ADIOS2 does it
// within a call in which other MPI ranks wait. Nothing is collective.
#pragma once

#include "adios2_parameters.hpp"

namespace headrace {

// Makes the data file of a writer, of the first one those of the index too.
status adios2_create_files(const std::string& store, adios2_engine_kind kind, int writer);

// Takes blocks for so many bytes behind each file of the index, where the file system can do that.
// Failures ENOSPC, EDQUOT, EFBIG.
status adios2_reserve_index(const std::string& store, std::int64_t bytes);
// Gives back what is left of them.
void adios2_release_index(const std::string& store) noexcept;

// After a write that failed: what ADIOS2 still writes to the data files of this process goes
// nowhere, so that it can go on to where the other MPI ranks wait. The store is lost then.
void adios2_drop_data(const std::string& store) noexcept;

}  // namespace headrace
