// Checks around files that a library writes: some libraries hang when one MPI rank cannot open the
// file, and some report success on a full disk (Open MPI's OMPIO does).
#pragma once

#include <cstdint>
#include <string>

#include "../together/communicator.hpp"
#include "hints.hpp"

namespace headrace {

// Whether the hints say how a file lies on the targets of a parallel file system (Lustre), which is
// settled when it is created.
bool names_striping(const hint_list& hints) noexcept;

// Not collective. Makes the empty file, by MPI-IO if the hints name a striping: nothing else
// sets it. found learns what is in force then.
status create_with_hints(const std::string& file, const hint_list& hints, hints_found& found);

// Collective. MPI rank 0 makes the empty file; afterwards every MPI rank has opened it for writing
// once, or all have the same failure.
status create_for_library(const communicator& comm, const std::string& file, const hint_list& hints,
                          hints_found& found);

// Not collective, before a library opens a file, whose words would be about its contents. Failure
// header_damaged for one without a byte.
status check_not_empty(const std::string& file);
// Collective: every MPI rank can read the file, in which there is something; or write into the
// directory.
status check_readable(const communicator& comm, const std::string& file);
// Not collective: this MPI rank can write to a file that is there.
status check_writable(const std::string& file);
status check_writable_directory(const communicator& comm, const std::string& directory);

// ext4, tmpfs or xfs: bytes written there occupy as many bytes, null bytes too, and Linux lets one
// process at a time write to a file.
bool is_local_file_system(const std::string& file) noexcept;
// Collective, as MPI rank 0 finds it: others may not see a file for a moment after its creation.
bool is_local_file_system(const communicator& comm, const std::string& file);

// Not collective, after all MPI ranks have closed the file: it is at least so long, and so many of
// its bytes take room, if the disk has none left: file_size_mismatch, ENOSPC. No more can be seen
// of what a library lost without a word.
status check_written(const std::string& file, std::int64_t least, std::int64_t stored);
// Not collective; after a failed write through MPI-IO: ROMIO keeps its locks on the file then, for
// which other MPI ranks wait for ever.
void drop_locks(const char* file) noexcept;

// Collective: every node brings what it wrote to the device; of a directory all files in it.
status sync_on_all_nodes(const communicator& comm, const std::string& path);

}  // namespace headrace
