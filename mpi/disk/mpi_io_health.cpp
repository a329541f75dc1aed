#include "mpi_io_health.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>

#include "../together/mpi_io_module.hpp"
#include "hints.hpp"

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

struct sieving_found {
  bool writes = false;
  bool reads = false;
};

sieving_found find_unsafe_sieving() {
  MPI_File file = open_file_in_memory();  // the answer is known only then
  const sieving_found found = {mpi_io_sieves_writes_unsafely(), mpi_io_sieves_reads_unsafely()};
  if (file != MPI_FILE_NULL) MPI_File_close(&file);
  return found;
}

status safe_sieving(const std::string& users, bool writes) {
  static const sieving_found unsafe = find_unsafe_sieving();
  if (writes ? !unsafe.writes : !unsafe.reads) return {};
  const std::string what = writes ? "writes (data sieving of OMPIO, mended in 4.1.7 and 5.0.6)"
                                  : "reads (data sieving of OMPIO, mended in 4.1.5)";
  return status::failure(stat_code::library_failed,
                         "MPI-IO of this Open MPI loses elements of what it " + what +
                             ". headrace switches it off, but not where the program used MPI-IO "
                             "before or the environment asks for it")
      .in_file(users)
      .advise(
          "start it with OMPI_MCA_fbtl_posix_write_datasieving=0 and "
          "OMPI_MCA_fbtl_posix_read_datasieving=0 in the environment, or with OMPI_MCA_io=^ompio");
}

}  // namespace

MPI_File open_file_in_memory(int* descriptor) noexcept {
  MPI_File file = MPI_FILE_NULL;
  const int memory = ::memfd_create("headrace", MFD_CLOEXEC);
  if (memory < 0) return file;
  char name[64] = "";
  std::snprintf(name, sizeof name, "/proc/self/fd/%d", memory);
  // Also where a file of hints (ROMIO_HINTS) says otherwise: only what is given gets there.
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  const info_owner owner(info);
  MPI_Info_set(info, "romio_cb_write", "disable");
  MPI_Info_set(info, "romio_ds_write", "disable");
  if (MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDWR, info, &file) != MPI_SUCCESS)
    file = MPI_FILE_NULL;
  if (descriptor != nullptr)
    *descriptor = memory;
  else
    ::close(memory);
  return file;
}

status check_sieving(const communicator& comm, const std::string& file, bool writes) {
  if (comm.size() == 1) return {};
  return agree_on(comm,
                  [&] { return mpi_io_may_lose_writes() ? safe_sieving(file, writes) : status(); });
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
