// Room for what is written soon. A library that finds a disk full in the middle of its own
// collective calls leaves MPI ranks waiting, so the disk is asked before.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "byte_ranges.hpp"
#include "communicator.hpp"

namespace headrace {

// ENOSPC, EDQUOT or EFBIG.
bool is_full(int error) noexcept;

// Takes blocks for these bytes of an open file, beyond its end too, without making it longer: 0 or
// errno, which is EOPNOTSUPP or another one that is not full where the file system cannot.
int reserve_blocks(int descriptor, std::int64_t begin, std::int64_t bytes) noexcept;

// Not collective: gives back what was reserved behind the end of a file.
void release_blocks_behind_the_end(const std::string& file) noexcept;

// Collective: every MPI rank may write a file as long as this (RLIMIT_FSIZE), or EFBIG on all. Ask
// before the file becomes so long: passing the limit kills the process (SIGXFSZ), on tmpfs by
// reserving alone.
status check_limit(const communicator& comm, const std::string& file, std::int64_t end);

// Collective; MPI rank 0 reserves the bytes of an array for all, or where the file system cannot,
// looks for room as check_room() does, after check_limit().
status take_room(const communicator& comm, const std::string& file, std::int64_t begin,
                 std::int64_t bytes);
// The same for an array that lies in several places.
status take_room(const communicator& comm, const std::string& file,
                 const std::vector<byte_range>& places);

}  // namespace headrace
