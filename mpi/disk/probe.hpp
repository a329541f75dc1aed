// Why a library could not write: most say no more than that, or nothing at all. The disk knows.
#pragma once

#include <string>

#include "../together/communicator.hpp"

namespace headrace {

// Collective, with the same failure on all MPI ranks, after which the file is thrown away: the
// failure as it is, or ENOSPC, EDQUOT, EFBIG or EIO of an MPI rank for which the file cannot grow
// where a library failed without a reason, with EIO, or left the file too short.
status explain_failed_write(const communicator& comm, const std::string& file, status failure);

}  // namespace headrace
