// Room on the disk, and what it says after a library could not write: most say no more than that,
// or nothing at all.
#pragma once

#include <cstdint>
#include <string>

#include "../../src/core/file_limits.hpp"
#include "../together/communicator.hpp"

namespace headrace {

// Not collective: the limit that the process cannot raise (`ulimit -H -f`). Failure EFBIG.
status check_hard_limit(std::int64_t end);

// Collective, with the same failure on all MPI ranks, after which the file is thrown away: the
// failure as it is, or ENOSPC, EDQUOT, EFBIG or EIO of an MPI rank for which the file cannot grow
// where a library failed without a reason, with EIO, or left the file too short.
status explain_failed_write(const communicator& comm, const std::string& file, status failure);

// Collective, when all have closed a file that a library wrote through MPI-IO: OMPIO reports
// success on a full disk, and what it lost may be too little for a hole. The failure of an MPI rank
// for which the file cannot grow.
status check_room_after(const communicator& comm, const std::string& file);

}  // namespace headrace
