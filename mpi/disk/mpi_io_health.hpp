// Whether MPI-IO can go on after a failed write. Open MPI's OMPIO keeps what it could not write:
// from then on MPI_File_sync of any file fails at once on that MPI rank, while the others wait in
// it for ever.
#pragma once

#include <string>

#include "../together/communicator.hpp"

namespace headrace {

// A file of this MPI rank alone, in memory, which goes when it is closed; MPI_FILE_NULL where there
// can be none. descriptor: where not null it becomes another way to the file, the caller's to
// close.
MPI_File open_file_in_memory(int* descriptor = nullptr) noexcept;

// Collective, before a library writes, or reads, together: the failure where MPI-IO would lose
// elements; see avoid_unsafe_sieving().
status check_sieving(const communicator& comm, const std::string& file, bool writes);

// A write failed in this process, perhaps within MPI-IO.
void note_failed_write() noexcept;

// Collective, before a library writes to the file in a way that calls MPI_File_sync: the failure of
// an MPI rank that can bring no file to the device any more. Looks only where a failed write was
// noted.
status check_mpi_io(const communicator& comm, const std::string& file);
// The same, and looks in any case.
status check_mpi_sync(const communicator& comm, const std::string& file);

}  // namespace headrace
