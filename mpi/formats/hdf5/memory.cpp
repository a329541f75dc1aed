#include "memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "../../disk/room.hpp"
#include "file.hpp"

namespace headrace {
namespace {

// HDF5's own descriptor becomes one of the memory; it has written nothing yet, or never will again.
status use_memory(hid_t file, int memory) {
  void* descriptor = nullptr;
  if (file < 0 || H5Fget_vfd_handle(file, H5P_DEFAULT, &descriptor) < 0)
    return hdf5_failure("cannot keep the file in memory");
  if (::dup2(memory, *static_cast<int*>(descriptor)) >= 0) return {};
  return status::system(errno, "cannot keep the file in memory");
}

// HDF5 forgets the size after collective writes by MPI-IO, on the MPI ranks that wrote. So nothing
// here is collective, as H5Fget_access_plist() is.
status ask_for_size(hid_t file, std::int64_t& size) {
  hsize_t told = 0;
  if (H5Fget_filesize(file, &told) >= 0) {
    size = static_cast<std::int64_t>(told);
    return {};
  }
  hbool_t atomic = false;
  void* handle = nullptr;
  MPI_Offset found = 0;
  if (H5Fget_mpi_atomicity(file, &atomic) >= 0 &&  // it is a file of MPI-IO
      H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) >= 0 && handle != nullptr &&
      MPI_File_get_size(*static_cast<MPI_File*>(handle), &found) == MPI_SUCCESS) {
    size = found;
    return {};
  }
  H5Fget_filesize(file, &told);  // for its reason, which the other calls took away
  return hdf5_failure("cannot learn the size of the file");
}

}  // namespace

hdf5_memory_file::~hdf5_memory_file() {
  if (memory_ >= 0) ::close(memory_);
}

status hdf5_memory_file::create(const std::string& file, hdf5_handle& made) {
  if (status s = disk_.open_to_write(file); !s.ok()) return s;
  memory_ = ::memfd_create("headrace", MFD_CLOEXEC);
  if (memory_ < 0) return status::system(errno, "cannot get memory for a file").in_file(file);
  if (status s = hdf5_create_file(file, nullptr, {}, made); !s.ok()) return s;
  return use_memory(made.get(), memory_);
}

// Only the pages that HDF5 has written.
status hdf5_memory_file::copy(std::int64_t begin, std::int64_t end) {
  std::vector<char> block;
  while (begin < end) {
    const off_t data = ::lseek(memory_, begin, SEEK_DATA);
    if (data < 0 || data >= end) return {};
    off_t hole = ::lseek(memory_, data, SEEK_HOLE);
    hole = hole < 0 ? end : std::min<off_t>(hole, end);
    const off_t stop = std::min<off_t>(hole, data + (off_t{1} << 20));
    block.resize(static_cast<std::size_t>(stop - data));
    if (::pread(memory_, block.data(), block.size(), data) != stop - data)
      return status::system(EIO, "cannot read back what HDF5 wrote").in_file(disk_.name());
    if (status s = disk_.write_at(data, block.data(), stop - data); !s.ok()) return s;
    begin = stop;
  }
  return {};
}

status hdf5_memory_file::bring_to_disk(const std::vector<byte_range>& elements) {
  std::int64_t size = 0;
  if (status s = hdf5_size_of(memory_, size); !s.ok()) return std::move(s).in_file(disk_.name());
  std::int64_t begin = 0;
  for (const byte_range& part : joined(elements)) {
    if (status s = copy(begin, part.begin); !s.ok()) return s;
    begin = part.end;
  }
  if (status s = copy(begin, size); !s.ok()) return s;
  if (status s = hdf5_set_size(disk_.name(), size); !s.ok()) return s;
  return disk_.close();
}

no_limit_on_files::no_limit_on_files() noexcept {
  ::getrlimit(RLIMIT_FSIZE, &before_);
  const struct rlimit raised = {before_.rlim_max, before_.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &raised);
}

no_limit_on_files::~no_limit_on_files() {
  ::setrlimit(RLIMIT_FSIZE, &before_);
}

status hdf5_check_hard_limit(hid_t file, std::int64_t more) {
  // What describes an array, and up to where the next large one may begin.
  constexpr std::int64_t beside = std::int64_t{2} << 20;
  std::int64_t size = 0;
  if (check_hard_limit(INT64_MAX).ok()) return {};  // there is none
  if (file >= 0)
    if (status s = ask_for_size(file, size); !s.ok()) return s;
  return check_hard_limit(size + more + beside);
}

status hdf5_size_of(int descriptor, std::int64_t& size) {
  struct stat found {};
  if (::fstat(descriptor, &found) != 0)
    return status::system(errno, "cannot look at what HDF5 wrote");
  size = found.st_size;
  return {};
}

status hdf5_pages_on_disk(const std::string& file, hdf5_pages& pages, std::int64_t& size) {
  const int disk = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (disk < 0) return status::system(errno, "cannot open the file").in_file(file);
  status done = hdf5_size_of(disk, size);
  if (done.ok()) done = find_changed_pages(disk, {}, pages);
  ::close(disk);
  return std::move(done).in_file_once(file);
}

status hdf5_set_size(const std::string& file, std::int64_t size) {
  struct stat before {};
  // Cutting a file at its own end gives back the room that was taken behind it.
  const bool fits = ::stat(file.c_str(), &before) == 0 && before.st_size == size;
  if (fits || ::truncate(file.c_str(), size) == 0) return {};
  return status::system(errno, "cannot set the size of the file").in_file(file);
}

status hdf5_bring_to_disk(const std::string& file, std::int64_t size, const hdf5_pages& known,
                          const hdf5_pages& changed) {
  const no_signal_at_limit no_signal;
  positioned_file disk;
  std::int64_t before = 0;
  if (status s = disk.open_to_write(file); !s.ok()) return s;
  if (status s = write_changed_bytes(disk, known, changed); !s.ok()) return s;
  if (status s = disk.size(before); !s.ok()) return s;
  if (before < size)
    if (status s = hdf5_set_size(file, size); !s.ok()) return s;
  return disk.close();
}

bool hdf5_close_in_memory(hdf5_handle& file) noexcept {
  const no_limit_on_files unlimited;
  return file.close();
}

bool hdf5_continue_in_memory(hid_t file) noexcept {
  const int memory = ::memfd_create("headrace", MFD_CLOEXEC);
  if (memory < 0) return false;
  const bool done = use_memory(file, memory).ok();
  ::close(memory);
  return done;
}

void hdf5_discard(hdf5_handle& file) noexcept {
  hdf5_continue_in_memory(file.get());
  hdf5_close_in_memory(file);
}

}  // namespace headrace
