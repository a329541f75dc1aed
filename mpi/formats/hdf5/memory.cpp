#include "memory.hpp"

#include <fcntl.h>
#include <mpi.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "../../disk/journal.hpp"
#include "../../disk/room.hpp"
#include "file.hpp"
#include "storage.hpp"

namespace headrace::hdf5 {
namespace {

constexpr std::int64_t page_bytes = 4096;
constexpr std::int64_t block_bytes = std::int64_t{1} << 20;

// HDF5's own descriptor becomes one of the memory.
status use_memory(hid_t file, int memory) {
  void* descriptor = nullptr;
  if (file < 0 || H5Fget_vfd_handle(file, H5P_DEFAULT, &descriptor) < 0)
    return library_failure("cannot keep the file in memory");
  if (::dup2(memory, *static_cast<int*>(descriptor)) >= 0) return {};
  return status::system(errno, "cannot keep the file in memory");
}

status size_of(int descriptor, std::int64_t& size) {
  struct stat found {};
  if (::fstat(descriptor, &found) != 0)
    return status::system(errno, "cannot look at what HDF5 wrote");
  size = found.st_size;
  return {};
}

// Calls each(begin, end) for what is no hole, until one fails.
template <class Each>
status for_each_part(int memory, std::int64_t size, Each each) {
  status done;
  for (std::int64_t begin = 0, end = 0; begin < size && done.ok(); begin = end) {
    begin = ::lseek(memory, begin, SEEK_DATA);
    if (begin < 0) break;  // nothing but holes up to the end
    end = ::lseek(memory, begin, SEEK_HOLE);
    if (end < 0) end = size;
    done = each(begin, end);
  }
  return done;
}

// The parts of [begin, end) that are no elements; elements: joined.
std::vector<byte_range> without(const std::vector<byte_range>& elements, std::int64_t begin,
                                std::int64_t end) {
  std::vector<byte_range> left;
  auto next =
      std::lower_bound(elements.begin(), elements.end(), begin,
                       [](const byte_range& one, std::int64_t at) { return one.end <= at; });
  for (; begin < end && next != elements.end() && next->begin < end; ++next) {
    if (begin < next->begin) left.push_back({begin, next->begin});
    begin = next->end;
  }
  if (begin < end) left.push_back({begin, end});
  return left;
}

std::int64_t end_of(const changed_bytes& one) noexcept {
  return one.address + static_cast<std::int64_t>(one.after.size());
}

}  // namespace

memory_file::~memory_file() {
  if (memory_ >= 0) ::close(memory_);
}

status memory_file::take_memory(const std::string& file) {
  name_ = file;
  if (status s = disk_.open_to_write(file); !s.ok()) return s;
  memory_ = ::memfd_create("headrace", MFD_CLOEXEC);
  if (memory_ >= 0) return {};
  return status::system(errno, "cannot get memory for a file");
}

status memory_file::create(const std::string& file, handle& made) {
  if (status s = take_memory(file); !s.ok()) return s;
  if (status s = create_file(file, nullptr, {}, made, true); !s.ok()) return s;
  if (status s = keep_copy({}); !s.ok()) return s;  // its first bytes are on the disk already
  return use_memory(made.get(), memory_);
}

status memory_file::append(const std::string& file, const std::vector<byte_range>& elements,
                           handle& opened) {
  has_readers_ = true;
  if (status s = take_memory(file); !s.ok()) return s;
  if (status s = keep_copy(joined(elements)); !s.ok()) return s;
  {
    handle before;
    if (status s = open_file(file, nullptr, {}, before); !s.ok()) return s;
    if (status s = check_space(before.get()); !s.ok()) return s;
  }
  if (status s = open_to_append(file, opened); !s.ok()) return s;
  return use_memory(opened.get(), memory_);
}

status memory_file::keep_copy(const std::vector<byte_range>& elements) {
  const no_limit_on_files unlimited;
  std::int64_t size = 0;
  if (status s = disk_.size(size); !s.ok()) return s;
  if (::ftruncate(memory_, size) != 0) return status::system(errno, "cannot get memory for a file");
  std::vector<char> block;
  for (const byte_range& part : without(elements, 0, size))
    for (std::int64_t at = part.begin; at < part.end; at += block_bytes) {
      const std::int64_t bytes = std::min(block_bytes, part.end - at);
      block.resize(static_cast<std::size_t>(bytes));
      if (status s = disk_.read_at(at, block.data(), bytes); !s.ok()) return s;
      if (::pwrite(memory_, block.data(), block.size(), at) != bytes)
        return status::system(errno, "cannot get memory for a file");
    }
  return {};
}

// HDF5 is asked where a chunk lies only while there are few: it looks through them all, and so a
// series would cost the square of its length. New chunks lie at the end of the file as a rule.
status memory_file::add_step(hid_t file, hid_t dataset, const std::vector<hsize_t>& extents,
                             std::int64_t step, std::size_t elem_len,
                             std::vector<file_segment>& found) const {
  constexpr std::int64_t few = 64;
  hsize_t end = 0;
  hsize_t stored = 0;
  if (H5Fget_filesize(file, &end) < 0) return library_failure("cannot learn the size of the file");
  if (status s = extend_dataset(dataset, step + 1); !s.ok()) return s;
  std::int64_t elements = 1;
  for (std::size_t d = 1; d < extents.size(); ++d)
    elements *= static_cast<std::int64_t>(extents[d]);
  const std::int64_t bytes = elements * static_cast<std::int64_t>(elem_len);
  std::vector<hsize_t> chunk(extents.size(), 0);
  chunk[0] = static_cast<hsize_t>(step);
  const bool is_one_chunk = bytes > 0 &&
                            H5Dget_chunk_storage_size(dataset, chunk.data(), &stored) >= 0 &&
                            stored == static_cast<hsize_t>(bytes);
  const auto address = static_cast<std::int64_t>(end);
  if (step < few || !is_one_chunk || !is_place(dataset, extents, step, elem_len, elements, address))
    return segments_of(dataset, extents, step, found);
  found = {{0, elements, address}};
  return {};
}

// What is in memory at the place of an element, HDF5 reads as that element. Nobody has written it:
// it is null, and stays so.
bool memory_file::is_place(hid_t dataset, const std::vector<hsize_t>& extents, std::int64_t step,
                           std::size_t elem_len, std::int64_t elements,
                           std::int64_t address) const {
  const auto elem_bytes = static_cast<std::int64_t>(elem_len);
  // Of a large step it lies in a page that has nothing else, and need not stay in memory.
  std::int64_t number = elements / 2;
  const std::int64_t at = address + number * elem_bytes;
  std::vector<hsize_t> element(extents.size(), 0);
  element[0] = static_cast<hsize_t>(step);
  for (std::size_t d = extents.size(); --d > 0;) {
    element[d] = static_cast<hsize_t>(number) % extents[d];
    number /= static_cast<std::int64_t>(extents[d]);
  }
  const handle type = owned_type(H5Dget_type(dataset));
  const handle one = owned_space(H5Screate(H5S_SCALAR));
  const handle space = owned_space(H5Dget_space(dataset));
  std::vector<char> read(elem_len);
  char there = 0;
  const char mark = 90;
  const char nothing = 0;
  if (!type || !one || !space ||
      H5Sselect_elements(space.get(), H5S_SELECT_SET, 1, element.data()) < 0 ||
      ::pread(memory_, &there, 1, at) < 0 || there != nothing ||
      ::pwrite(memory_, &mark, 1, at) != 1)
    return false;
  const bool is_read =
      H5Dread(dataset, type.get(), one.get(), space.get(), H5P_DEFAULT, read.data()) >= 0 &&
      read.front() == mark;
  const bool is_null = ::pwrite(memory_, &nothing, 1, at) == 1;
  if (is_read)
    ::fallocate(memory_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, address,
                elements * elem_bytes);
  return is_null && is_read;
}

// What differs from the disk, or of a file that nobody has read yet all but null bytes.
status memory_file::find_changes(const std::vector<byte_range>& elements, std::int64_t size,
                                 std::vector<changed_bytes>& changes) const {
  std::string now;
  std::string before;
  const auto compare = [&](std::int64_t at, std::int64_t bytes) {
    now.resize(static_cast<std::size_t>(bytes));
    before.assign(now.size(), '\0');
    if (::pread(memory_, now.data(), now.size(), at) != bytes)
      return status::system(errno, "cannot read back what HDF5 wrote");
    if (has_readers_)
      if (status s = disk_.read_at(at, before.data(), bytes); !s.ok()) return s;
    if (now == before) return status();
    const bool follows = !changes.empty() && end_of(changes.back()) == at &&
                         changes.back().after.size() < static_cast<std::size_t>(block_bytes);
    if (!follows) changes.push_back({at, "", ""});
    changes.back().before += before;
    changes.back().after += now;
    return status();
  };
  return for_each_part(memory_, size, [&](std::int64_t begin, std::int64_t end) {
    status done;
    for (const byte_range& part : without(elements, begin, end))
      for (std::int64_t at = part.begin, next = 0; at < part.end && done.ok(); at = next) {
        next = std::min(part.end, at - at % page_bytes + page_bytes);
        done = compare(at, next - at);
      }
    return done;
  });
}

// As a whole, or by the next who opens the file; of a file that nobody has read yet, one by one.
status memory_file::write_changes(const std::vector<byte_range>& elements, std::int64_t size,
                                  bool sync) {
  std::vector<changed_bytes> changes;
  if (status s = find_changes(elements, size, changes); !s.ok()) return s;
  if (has_readers_) return change_by_journal(disk_, name_, changes, sync);
  status done;
  for (const changed_bytes& one : changes)
    if (done.ok())
      done = disk_.write_at(one.address, one.after.data(),
                            static_cast<std::int64_t>(one.after.size()));
  return done;
}

status memory_file::bring_to_disk(const std::vector<byte_range>& elements, bool is_closed,
                                  bool sync) {
  const std::vector<byte_range> holes = joined(elements);
  std::int64_t size = 0;
  std::int64_t before = 0;
  if (status s = size_of(memory_, size); !s.ok()) return s;
  if (status s = disk_.size(before); !s.ok()) return s;
  const auto set_size = [&] {
    if (::truncate(name_.c_str(), size) == 0) return status();
    return status::system(errno, "cannot set the size of the file");
  };
  status done;
  // HDF5 takes a file for damaged that is shorter than it says.
  if (has_readers_ && before < size) done = set_size();
  if (done.ok()) done = write_changes(holes, size, sync);
  // Cutting a file at its own end gives back the room that was taken behind it.
  if (done.ok() && (is_closed ? before != size : !has_readers_)) done = set_size();
  if (!done.ok()) return done;
  has_readers_ = true;
  return is_closed ? disk_.close() : status();
}

no_limit_on_files::no_limit_on_files() noexcept {
  ::getrlimit(RLIMIT_FSIZE, &before_);
  const struct rlimit raised = {before_.rlim_max, before_.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &raised);
}

no_limit_on_files::~no_limit_on_files() {
  ::setrlimit(RLIMIT_FSIZE, &before_);
}

status check_memory_limit(hid_t file, std::int64_t more) {
  // What describes an array, and up to where the next large one may begin.
  constexpr std::int64_t beside = std::int64_t{2} << 20;
  hsize_t size = 0;
  if (check_hard_limit(INT64_MAX).ok()) return {};  // there is none
  if (file >= 0 && H5Fget_filesize(file, &size) < 0)
    return library_failure("cannot learn the size of the file");
  return check_hard_limit(static_cast<std::int64_t>(size) + more + beside);
}

void leave_mpi_file(hid_t file) noexcept {
  void* handle = nullptr;
  const int memory = ::memfd_create("headrace", MFD_CLOEXEC);
  if (memory < 0 || H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) < 0) return;
  std::array<char, 64> name{};
  std::snprintf(name.data(), name.size(), "/proc/self/fd/%d", memory);
  MPI_File mine = MPI_FILE_NULL;
  if (MPI_File_open(MPI_COMM_SELF, name.data(), MPI_MODE_RDWR, MPI_INFO_NULL, &mine) == MPI_SUCCESS)
    *static_cast<MPI_File*>(handle) = mine;
  ::close(memory);
}

void discard(handle& file) noexcept {
  const no_limit_on_files unlimited;
  const int memory = ::memfd_create("headrace", MFD_CLOEXEC);
  if (memory >= 0) {
    static_cast<void>(use_memory(file.get(), memory));
    ::close(memory);
  }
  file.close();
}

}  // namespace headrace::hdf5
