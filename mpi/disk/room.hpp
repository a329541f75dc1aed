// Room for what is written soon. A library that finds a disk full in the middle of its own
// collective calls leaves MPI ranks waiting, so the disk is asked before.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../../src/core/file_limits.hpp"
#include "../together/communicator.hpp"
#include "byte_ranges.hpp"

namespace headrace {

// Not collective: the limit that the process cannot raise (`ulimit -H -f`). Failure EFBIG.
status check_hard_limit(std::int64_t end);

// Takes blocks for these bytes of an open file, beyond its end too, without making it longer: 0 or
// errno, which is EOPNOTSUPP or another one that is not full where the file system cannot. EFBIG
// beyond the limit.
int reserve_blocks(int descriptor, std::int64_t begin, std::int64_t bytes) noexcept;
// Not collective, by the name of a file: 0 also where nothing can be reserved or opened, otherwise
// what is_full().
int error_of_reserving(const std::string& file, const std::vector<byte_range>& parts) noexcept;
// Not collective, for bytes that nobody has written yet: writes null bytes there where the file
// system cannot reserve, as posix_fallocate() does, which makes the file as long. 0 or errno.
int error_of_taking(const std::string& file, const std::vector<byte_range>& parts) noexcept;

// Not collective: gives back what was reserved behind the end of a file.
void release_blocks_behind_the_end(const std::string& file) noexcept;

// Collective: every MPI rank may write a file as long as this, or EFBIG on all; see
// is_within_limit(). Ask before the file becomes so long.
status check_limit(const communicator& comm, const std::string& file, std::int64_t end);

// Collective: blocks behind or within what is in the file, on MPI rank 0 or on each, where the file
// system can reserve and up to the limit of a file's size: who writes behind it is told by
// check_limit(). what: "the metadata". Failures ENOSPC, EDQUOT.
status reserve_room(const communicator& comm, const std::string& file, bool each,
                    std::vector<byte_range> where, const std::string& what);

// Collective, before anybody writes an array; MPI rank 0 takes its bytes for all after
// check_limit() and check_room(), by error_of_taking() where MPI-IO would not tell that the disk is
// full, by reserving elsewhere. Writing them cannot fill the disk then where room could be taken.
// can_fail: false where no write of them can fail at all, because the file lies in memory (tmpfs)
// and has the room, in one place; the same on all MPI ranks.
status take_room(const communicator& comm, const std::string& file, std::int64_t begin,
                 std::int64_t bytes, bool& can_fail);
// The same for an array that lies in several places. The file becomes as long: a collective call
// may write what lies between them again, as it was read, and behind the end of a file MPI-IO reads
// nothing and writes what its buffer held. HDF5's index of chunks belongs there.
status take_room(const communicator& comm, const std::string& file,
                 const std::vector<byte_range>& places, bool& can_fail);

}  // namespace headrace
