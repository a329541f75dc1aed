#include "memory.hpp"

#include <fcntl.h>
#include <mpi.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#if H5_VERSION_GE(1, 13, 2)
#include <H5FDdevelop.h>
#endif

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <new>

#include "file.hpp"
#include "storage.hpp"

namespace headrace::hdf5 {

struct memory_file::image : std::enable_shared_from_this<image> {
  positioned_file disk;
  std::int64_t disk_size = 0;                   // up to there HDF5 may read
  std::map<std::int64_t, std::string> written;  // by their addresses, none twice: not on the disk
  std::int64_t size = 0;
  haddr_t allocated = 0;
  // Space for elements that HDF5 took since they were set to 0, and the end of the last part.
  int parts = 0;
  haddr_t end_of_part = 0;
  bool is_lost = false;  // there was no memory for a part of it
  int lock_error = 0;

  void write(std::int64_t address, const char* data, std::size_t count);
  status read(std::int64_t address, char* data, std::size_t count) const;
};

void memory_file::image::write(std::int64_t address, const char* data, std::size_t count) {
  const std::int64_t end = address + static_cast<std::int64_t>(count);
  size = std::max(size, end);
  auto next = written.upper_bound(address);
  if (next != written.begin()) {
    auto& [at, bytes] = *std::prev(next);
    const auto from = static_cast<std::size_t>(address - at);
    if (from + count <= bytes.size()) {
      std::memcpy(bytes.data() + from, data, count);
      return;
    }
    if (from < bytes.size()) bytes.resize(from);
  }
  std::string made(data, count);
  for (; next != written.end() && next->first < end; next = written.erase(next))
    if (next->first + static_cast<std::int64_t>(next->second.size()) > end)
      made += next->second.substr(static_cast<std::size_t>(end - next->first));
  written[address] = std::move(made);
}

status memory_file::image::read(std::int64_t address, char* data, std::size_t count) const {
  const std::int64_t end = address + static_cast<std::int64_t>(count);
  auto next = written.upper_bound(address);
  if (next != written.begin()) --next;
  const auto begin_of = [&](std::int64_t at) { return std::max(at, address); };
  const bool is_held = next != written.end() && next->first <= address &&
                       next->first + static_cast<std::int64_t>(next->second.size()) >= end;
  if (!is_held) {
    const std::int64_t on_disk = std::max<std::int64_t>(0, std::min(end, disk_size) - address);
    std::memset(data + on_disk, 0, count - static_cast<std::size_t>(on_disk));
    if (on_disk > 0)
      if (status s = disk.read_at(address, data, on_disk); !s.ok()) return s;
  }
  for (; next != written.end() && next->first < end; ++next) {
    const std::int64_t from = begin_of(next->first);
    const std::int64_t to =
        std::min(end, next->first + static_cast<std::int64_t>(next->second.size()));
    if (from < to)
      std::memcpy(data + (from - address), next->second.data() + (from - next->first),
                  static_cast<std::size_t>(to - from));
  }
  return {};
}

namespace {

constexpr std::int64_t block_bytes = std::int64_t{1} << 20;

// What HDF5 opens.
struct driver_file : H5FD_t {
  std::shared_ptr<memory_file::image> image;
};

memory_file::image& image_of(const H5FD_t* file) {
  return *static_cast<const driver_file*>(file)->image;
}

// No exception may pass through HDF5, which is C.
H5FD_t* open_driver(const char* /*name*/, unsigned /*flags*/, hid_t access, haddr_t /*most*/) {
  const auto* const given =
      static_cast<const memory_file::image* const*>(H5Pget_driver_info(access));
  auto* const made = given == nullptr ? nullptr : new (std::nothrow) driver_file();
  if (made == nullptr) return nullptr;
  made->image = const_cast<memory_file::image*>(*given)->shared_from_this();
  made->image->allocated = 0;
  return made;
}

herr_t close_driver(H5FD_t* file) {
  delete static_cast<driver_file*>(file);
  return 0;
}

int compare_files(const H5FD_t* left, const H5FD_t* right) {
  return left == right ? 0 : left < right ? -1 : 1;
}

// Elements do not wait in HDF5, and each array begins in space of its own.
herr_t query_driver(const H5FD_t* /*file*/, unsigned long* features) {
  *features = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA |
              H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

herr_t set_allocated(H5FD_t* file, H5FD_mem_t type, haddr_t end) {
  memory_file::image& image = image_of(file);
  if (type == H5FD_MEM_DRAW && end > image.allocated) {
    ++image.parts;
    image.end_of_part = end;
  }
  image.allocated = end;
  return 0;
}

herr_t read_image(H5FD_t* file, H5FD_mem_t /*type*/, hid_t /*how*/, haddr_t address,
                  std::size_t count, void* data) {
  const auto read = [&] {
    return image_of(file).read(static_cast<std::int64_t>(address), static_cast<char*>(data), count);
  };
  return caught(read).ok() ? 0 : -1;
}

// A failure HDF5 would meet again when it closes the file.
herr_t write_image(H5FD_t* file, H5FD_mem_t /*type*/, hid_t /*how*/, haddr_t address,
                   std::size_t count, const void* data) {
  const auto write = [&] {
    image_of(file).write(static_cast<std::int64_t>(address), static_cast<const char*>(data), count);
    return status();
  };
  if (!caught(write).ok()) image_of(file).is_lost = true;
  return 0;
}

herr_t cut_image(H5FD_t* file, hid_t /*how*/, hbool_t /*closing*/) {
  image_of(file).size = static_cast<std::int64_t>(image_of(file).allocated);
  return 0;
}

// Whether others have the file open by HDF5, which locks it.
herr_t try_lock(H5FD_t* file, hbool_t /*writes*/) {
  memory_file::image& image = image_of(file);
  const int descriptor = ::open(image.disk.name().c_str(), O_RDONLY | O_CLOEXEC);
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) image.lock_error = errno;
  ::close(descriptor);
  return image.lock_error == 0 ? 0 : -1;
}

hid_t driver() {
  static const H5FD_class_t description = [] {
    constexpr H5FD_mem_t lists[] = H5FD_FLMAP_DICHOTOMY;
    H5FD_class_t made{};
#if H5_VERSION_GE(1, 13, 2)
    made.version = H5FD_CLASS_VERSION;
    made.value = static_cast<H5FD_class_value_t>(H5_VFD_MAX);
#endif
    made.name = "headrace";
    made.maxaddr = static_cast<haddr_t>(INT64_MAX);
    made.fc_degree = H5F_CLOSE_STRONG;
    made.fapl_size = sizeof(memory_file::image*);
    made.open = open_driver;
    made.close = close_driver;
    made.cmp = compare_files;
    made.query = query_driver;
    made.get_eoa = [](const H5FD_t* file, H5FD_mem_t) { return image_of(file).allocated; };
    made.set_eoa = set_allocated;
    made.get_eof = [](const H5FD_t* file, H5FD_mem_t) {
      return static_cast<haddr_t>(image_of(file).size);
    };
    made.read = read_image;
    made.write = write_image;
    made.truncate = cut_image;
    made.lock = try_lock;
    made.unlock = [](H5FD_t*) { return 0; };
    std::copy(std::begin(lists), std::end(lists), made.fl_map);
    return made;
  }();
  static hid_t known = H5I_INVALID_HID;
  if (H5Iget_type(known) != H5I_VFL) known = H5FDregister(&description);
  return known;
}

}  // namespace

bool memory_file::choose(hid_t access) {
  const image* const given = image_.get();
  return H5Pset_driver(access, driver(), &given) >= 0;
}

status memory_file::begin(const std::string& file) {
  name_ = file;
  image_ = std::make_shared<image>();
  return image_->disk.open_to_write(file);
}

status memory_file::create(const std::string& file, handle& made) {
  if (status s = begin(file); !s.ok()) return s;
  return create_file(file, nullptr, {}, made, this);
}

status memory_file::append(const std::string& file, handle& opened) {
  has_readers_ = true;
  if (status s = begin(file); !s.ok()) return s;
  if (status s = image_->disk.size(image_->disk_size); !s.ok()) return s;
  image_->size = image_->disk_size;
  status done = open_to_append(file, *this, opened);
  if (done.ok()) return check_space(opened.get());
  if (image_->lock_error == 0) return done;
  return status::system(image_->lock_error, "cannot open the file to add to it")
      .advise("close it where it is open, in this program and in others");
}

// HDF5 is not asked where a chunk lies if it took one part of the file for it: it looks through all
// chunks, and so a series would cost the square of its length.
status memory_file::add_step(hid_t dataset, const std::vector<hsize_t>& extents, std::int64_t step,
                             std::size_t elem_len, std::vector<file_segment>& found) {
  image_->parts = 0;
  if (status s = extend_dataset(dataset, step + 1); !s.ok()) return s;
  std::int64_t elements = 1;
  for (std::size_t d = 1; d < extents.size(); ++d)
    elements *= static_cast<std::int64_t>(extents[d]);
  const hsize_t bytes = static_cast<hsize_t>(elements) * elem_len;
  std::vector<hsize_t> chunk(extents.size(), 0);
  chunk[0] = static_cast<hsize_t>(step);
  hsize_t stored = 0;
  const bool is_one_part = bytes > 0 && image_->parts == 1 &&
                           H5Dget_chunk_storage_size(dataset, chunk.data(), &stored) >= 0 &&
                           stored == bytes;
  if (!is_one_part) return segments_of(dataset, extents, step, found);
  found = {{0, elements, static_cast<std::int64_t>(image_->end_of_part - bytes)}};
  return {};
}

// What was written, joined; with what the disk has in its place, if others may have read that.
status memory_file::find_changes(std::vector<changed_bytes>& changes) const {
  std::string before;
  for (auto& [at, bytes] : image_->written) {
    if (at >= image_->size) break;  // HDF5 has given it back
    const std::int64_t count = std::min(image_->size - at, static_cast<std::int64_t>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(count));
    before.clear();
    if (has_readers_) {
      before.resize(bytes.size());
      if (status s = image_->disk.read_at(at, before.data(), count); !s.ok()) return s;
      if (before == bytes) continue;
    }
    const bool follows =
        !changes.empty() && changes.back().after.size() < static_cast<std::size_t>(block_bytes) &&
        changes.back().address + static_cast<std::int64_t>(changes.back().after.size()) == at;
    if (!follows) changes.push_back({at, "", ""});
    changes.back().before += before;
    changes.back().after += bytes;
  }
  return {};
}

status memory_file::bring_to_disk(bool is_closed, bool sync) {
  if (image_->is_lost) return no_memory();
  positioned_file& disk = image_->disk;
  const std::int64_t size = image_->size;
  std::int64_t before = 0;
  if (status s = disk.size(before); !s.ok()) return s;
  const auto set_size = [&] {
    if (::truncate(name_.c_str(), size) == 0) return status();
    return status::system(errno, "cannot set the size of the file");
  };
  status done;
  // HDF5 takes a file for damaged that is shorter than it says.
  if (has_readers_ && before < size) done = set_size();
  std::vector<changed_bytes> changes;
  if (done.ok()) done = find_changes(changes);
  if (done.ok() && has_readers_) done = change_by_journal(disk, name_, changes, sync);
  for (std::size_t i = 0; i < changes.size() && !has_readers_ && done.ok(); ++i)
    done = disk.write_at(changes[i].address, changes[i].after.data(),
                         static_cast<std::int64_t>(changes[i].after.size()));
  // Cutting a file at its own end gives back the room that was taken behind it.
  if (done.ok() && (is_closed ? before != size : !has_readers_)) done = set_size();
  if (!done.ok()) return done;
  image_->written.clear();
  image_->disk_size = size;
  has_readers_ = true;
  return is_closed ? disk.close() : status();
}

void close_unseen(handle& file, bool by_mpi, bool has_failed) noexcept {
  struct rlimit before {};
  ::getrlimit(RLIMIT_FSIZE, &before);  // memory has no limit
  const struct rlimit raised = {before.rlim_max, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &raised);
  void* used = nullptr;
  const int memory = ::memfd_create("headrace", MFD_CLOEXEC);
  const bool is_left = has_failed || !by_mpi;
  if (is_left && memory >= 0 && H5Fget_vfd_handle(file.get(), H5P_DEFAULT, &used) >= 0) {
    if (by_mpi) {
      std::array<char, 64> name{};
      std::snprintf(name.data(), name.size(), "/proc/self/fd/%d", memory);
      MPI_File mine = MPI_FILE_NULL;
      if (MPI_File_open(MPI_COMM_SELF, name.data(), MPI_MODE_RDWR, MPI_INFO_NULL, &mine) ==
          MPI_SUCCESS)
        *static_cast<MPI_File*>(used) = mine;
    } else {
      ::dup2(memory, *static_cast<int*>(used));
    }
  }
  if (memory >= 0) ::close(memory);
  file.close();
  ::setrlimit(RLIMIT_FSIZE, &before);
}

}  // namespace headrace::hdf5
