// Checks around files that a library writes: some libraries hang when one MPI rank cannot open the
// file, and some report success on a full disk (Open MPI's OMPIO does).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../together/communicator.hpp"
#include "byte_ranges.hpp"
#include "hints.hpp"

namespace headrace {

// Whether the hints say how a file lies on the targets of a parallel file system (Lustre), which is
// settled when it is created.
bool names_striping(const hint_list& hints) noexcept;

// Not collective. Makes the empty file, by MPI-IO where the hints name a striping: nothing else
// sets it. found learns what is in force then.
status create_with_hints(const std::string& file, const hint_list& hints, hints_found& found);

// Collective. MPI rank 0 makes the empty file; afterwards every MPI rank has opened it for writing
// once, or all have the same failure.
status create_for_library(const communicator& comm, const std::string& file, const hint_list& hints,
                          hints_found& found);

// Collective: every MPI rank can read the file, or write into the directory.
status check_readable(const communicator& comm, const std::string& file);
status check_writable_directory(const communicator& comm, const std::string& directory);

// ext4, tmpfs or xfs: bytes written there occupy as many bytes, null bytes too, and Linux lets one
// process at a time write to a file.
bool is_local_file_system(const std::string& file) noexcept;
bool lies_in_memory(const char* file) noexcept;  // tmpfs
bool lies_on_lustre(const char* file) noexcept;
// Collective, as MPI rank 0 finds it: others may not see a file for a moment after its creation.
bool is_local_file_system(const communicator& comm, const std::string& file);

// Collective; MPI rank 0 looks. Fails with ENOSPC when so many bytes certainly do not fit (on file
// systems that neither compress nor have other stores behind them), or with the error of growing
// the file a little, within the limit of this process: EFBIG when there is nothing left of it.
status check_room(const communicator& comm, const std::string& file, std::int64_t bytes);

// Whether other MPI ranks may have the file open: on a network file system their bytes may be under
// way, and what is no hole soon must not be written to.
enum class file_use { open, closed };

// Not collective. The file is at least so long, and has no holes in its arrays, which a write
// leaves that failed without a word, also where room was taken before: file_size_mismatch, ENOSPC,
// EDQUOT, EIO. Only ext4, tmpfs and xfs tell them from null bytes; elsewhere only a full disk is
// found, and of an open file only where room can be reserved: look again when all have closed it.
status check_written(const std::string& file, std::int64_t length,
                     const std::vector<byte_range>& arrays, file_use use);
// The same where it is not known where the arrays lie, but how many bytes they have in all: other
// bytes, which describe them, may then hide as many lost ones.
status check_written(const std::string& file, std::int64_t length, std::int64_t stored,
                     file_use use);
// Not collective; after a failed write through MPI-IO: ROMIO keeps its locks on the file then, for
// which other MPI ranks wait for ever.
void drop_locks(const char* file) noexcept;

// Collective: every node brings what it wrote to the device; of a directory all files in it.
status sync_on_all_nodes(const communicator& comm, const std::string& file);
status sync_directory_on_all_nodes(const communicator& comm, const std::string& directory);

}  // namespace headrace
