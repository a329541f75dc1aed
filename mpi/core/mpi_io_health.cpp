#include "mpi_io_health.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>

namespace headrace {
namespace {

std::atomic<bool> a_write_failed{false};

// With a file of this MPI rank alone, in memory. What cannot be tried is no failure.
status try_to_sync(const std::string& users) {
  const int descriptor = ::memfd_create("headrace", MFD_CLOEXEC);
  if (descriptor < 0) return {};
  const std::string name = "/proc/self/fd/" + std::to_string(descriptor);
  MPI_File file = MPI_FILE_NULL;
  int code = MPI_SUCCESS;
  if (MPI_File_open(MPI_COMM_SELF, name.c_str(), MPI_MODE_WRONLY, MPI_INFO_NULL, &file) ==
      MPI_SUCCESS) {
    code = MPI_File_sync(file);
    MPI_File_close(&file);
  }
  ::close(descriptor);
  if (code == MPI_SUCCESS) return {};
  return mpi_failure(code, "MPI-IO cannot go on after a write that failed on this MPI rank")
      .in_file(users)
      .advise("write with transfer=\"headrace\" (npy, HDF5, Zarr), or begin the program again");
}

}  // namespace

void note_failed_write() noexcept {
  a_write_failed = true;
}

status check_mpi_io(const communicator& comm, const std::string& file) {
  return agree_on(comm, [&] { return a_write_failed ? try_to_sync(file) : status(); });
}

status check_mpi_sync(const communicator& comm, const std::string& file) {
  return agree_on(comm, [&] { return try_to_sync(file); });
}

}  // namespace headrace
