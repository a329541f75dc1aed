#include "mpi_io_health.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>

namespace headrace {
namespace {

std::atomic<bool> a_write_failed{false};

// What cannot be tried is no failure.
status try_to_sync(const std::string& users) {
  MPI_File file = open_file_in_memory();
  if (file == MPI_FILE_NULL) return {};
  const int code = MPI_File_sync(file);
  MPI_File_close(&file);
  if (code == MPI_SUCCESS) return {};
  return mpi_failure(code, "MPI-IO cannot go on after a write that failed on this MPI rank")
      .in_file(users)
      .advise("write with transfer=\"headrace\" (npy, HDF5, Zarr), or begin the program again");
}

}  // namespace

MPI_File open_file_in_memory(int* descriptor) noexcept {
  MPI_File file = MPI_FILE_NULL;
  const int memory = ::memfd_create("headrace", MFD_CLOEXEC);
  if (memory < 0) return file;
  const std::string name = "/proc/self/fd/" + std::to_string(memory);
  if (MPI_File_open(MPI_COMM_SELF, name.c_str(), MPI_MODE_RDWR, MPI_INFO_NULL, &file) !=
      MPI_SUCCESS)
    file = MPI_FILE_NULL;
  if (descriptor != nullptr)
    *descriptor = memory;
  else
    ::close(memory);
  return file;
}

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
