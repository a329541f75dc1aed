// The files of a store that is being written. What can fail is tried here, before ADIOS2 does it
// within a call in which other MPI ranks wait. Nothing is collective.
#pragma once

#include "parameters.hpp"

namespace headrace {

// Makes the data file of a writer, of the first one those of the index too. As many descriptors as
// ADIOS2 needs are there, EMFILE otherwise: one that cannot open its files leaves others waiting.
status adios2_create_files(const std::string& store, adios2_engine_kind kind, int writer);

// Takes blocks for so many bytes behind each file of the index, where the file system can do that.
// Failures ENOSPC, EDQUOT, EFBIG.
status adios2_reserve_index(const std::string& store, std::int64_t bytes);
// Gives back what is left of them.
void adios2_release_index(const std::string& store) noexcept;

// What ADIOS2 still writes in this process stays in memory, so it cannot fail: it gets to where
// other MPI ranks wait, and ends without ending the program. The store is lost then. store: as
// adios2_path_of() says, though it may be gone.
void adios2_drop_files(const std::string& store);
// Once ADIOS2 is not called any more for the store that it still has open.
void adios2_close_files(const std::string& store);
std::string adios2_path_of(const std::string& store);

}  // namespace headrace
