#include "descriptions.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "../../disk/mpi_io_health.hpp"

namespace headrace {
namespace {

// HDF5 writes the metadata when it is told to, and nothing of it in between.
bool writes_when_told(hid_t file) noexcept {
  H5AC_cache_config_t cache;
  cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  if (H5Fget_mdc_config(file, &cache) < 0) return false;
  cache.evictions_enabled = false;
  cache.incr_mode = H5C_incr__off;
  cache.flash_incr_mode = H5C_flash_incr__off;
  cache.decr_mode = H5C_decr__off;
  return H5Fset_mdc_config(file, &cache) >= 0;
}

}  // namespace

hdf5_descriptions::~hdf5_descriptions() {
  int over = 0;
  MPI_Finalized(&over);
  if (memory_file_ != MPI_FILE_NULL && over == 0) MPI_File_close(&memory_file_);
  for (const int descriptor : {memory_, disk_descriptor_})
    if (descriptor >= 0) ::close(descriptor);
}

status hdf5_descriptions::open_memory(void* handle) {
  if (alone_) {
    descriptor_ = *static_cast<int*>(handle);
    disk_descriptor_ = ::fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);
    memory_ = disk_descriptor_ < 0 ? -1 : ::memfd_create("headrace", MFD_CLOEXEC);
    if (memory_ >= 0) return {};
    return status::system(errno, "cannot get memory for the metadata");
  }
  in_use_ = static_cast<MPI_File*>(handle);
  disk_ = *in_use_;
  memory_file_ = open_file_in_memory(&memory_);
  if (memory_file_ != MPI_FILE_NULL) return {};
  return status::system(ENOMEM, "cannot get memory for the metadata");
}

status hdf5_descriptions::prepare(hid_t file) {
  void* handle = nullptr;
  if (file < 0 || H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) < 0 || !writes_when_told(file))
    return hdf5_failure("cannot keep the metadata in memory").in_file(path_);
  return open_memory(handle).in_file_once(path_);
}

status hdf5_descriptions::keep(hid_t file) {
  if (alone_)
    if (status s = communicator::duplicate(MPI_COMM_SELF, comm_); !s.ok()) return s;
  std::int64_t size = 0;
  status done = agree_on(*comm_, [&] {
    status mine = prepare(file);
    if (mine.ok() && comm_->rank() == 0) mine = hdf5_pages_on_disk(path_, known_, size);
    return mine;
  });
  if (done.ok()) done = broadcast_pages(*comm_, known_);
  broadcast(*comm_, 0, size);
  if (done.ok()) done = agree_on(*comm_, [&] { return write_pages(memory_, known_, size); });
  is_kept_ = done.ok();
  return done;
}

void hdf5_descriptions::enter_memory() noexcept {
  if (!alone_) {
    *in_use_ = memory_file_;
    return;
  }
  // HDF5 knows how long the file is that it has written, and sets another size only.
  struct stat disk {};
  if (::fstat(disk_descriptor_, &disk) != 0 || ::ftruncate(memory_, disk.st_size) != 0) errno = 0;
  ::dup2(memory_, descriptor_);
}

void hdf5_descriptions::leave_memory() noexcept {
  if (alone_)
    ::dup2(disk_descriptor_, descriptor_);
  else
    *in_use_ = disk_;
}

void hdf5_descriptions::leave_for_good() noexcept {
  is_kept_ = false;
  memory_file_ = MPI_FILE_NULL;
}

bool hdf5_descriptions::discard(bool failed) noexcept {
  if (!is_kept_) return false;
  enter_memory();
  leave_for_good();
  if (!failed && !alone_) MPI_File_close(&disk_);
  return true;
}

status hdf5_descriptions::bring_to_disk(status done, bool is_last) {
  hdf5_pages changed;
  std::int64_t mine = 0;
  std::int64_t size = 0;
  done = agree_on(*comm_, [&] {
    if (done.ok()) done = hdf5_size_of(memory_, mine);
    if (done.ok()) done = find_changed_pages(memory_, known_, changed);
    return std::move(done).in_file_once(path_);
  });
  if (!done.ok()) return done;
  reduce(*comm_, &mine, &size, 1, MPI_INT64_T, MPI_MAX);
  if (status s = gather_pages(*comm_, known_, changed); !s.ok()) return s;
  done = agree_on(*comm_, [&] {
    if (comm_->rank() != 0) return status();
    status brought = hdf5_bring_to_disk(path_, size, known_, changed);
    return brought.ok() && is_last ? hdf5_set_size(path_, size) : brought;
  });
  if (!done.ok() || is_last) return done;
  if (status s = broadcast_pages(*comm_, changed); !s.ok()) return s;
  return agree_on(*comm_, [&] {
    const no_limit_on_files unlimited;
    for (const auto& [number, page] : changed) known_[number] = page;
    return write_pages(memory_, changed, size).in_file_once(path_);
  });
}

status hdf5_descriptions::close_disk() {
  if (alone_) {
    if (::close(std::exchange(disk_descriptor_, -1)) == 0) return {};
    return status::system(errno, "cannot close the file").in_file(path_);
  }
  const int code = MPI_File_close(&disk_);
  return agree_on(*comm_, [&] {
    return code == MPI_SUCCESS ? status()
                               : mpi_failure(code, "cannot close the file").in_file(path_);
  });
}

}  // namespace headrace
