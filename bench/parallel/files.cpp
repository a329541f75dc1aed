#include "files.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <functional>
#include <vector>

namespace headrace::bench {
namespace {

namespace fs = std::filesystem;

void for_each_file(const std::string& path, const std::function<void(const fs::path&)>& visit) {
  std::error_code error;
  if (fs::is_regular_file(path, error)) {
    visit(path);
  } else if (fs::is_directory(path, error)) {
    for (fs::recursive_directory_iterator each(path, error), end; each != end;
         each.increment(error)) {
      if (each->is_regular_file(error)) visit(each->path());
    }
  }
}

outcome with_open_file(const fs::path& path, const char* what,
                       const std::function<int(int file)>& act) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return system_failure(errno, "opening " + path.string());
  errno = 0;
  const int error = act(file);
  ::close(file);
  return error == 0 ? outcome{} : system_failure(error, std::string(what) + " " + path.string());
}

// Bytes between holes; all if the file system cannot tell.
std::int64_t data_bytes(int file) {
  struct stat facts {};
  if (::fstat(file, &facts) != 0) return 0;
  std::int64_t sum = 0;
  off_t at = 0;
  while (at < facts.st_size) {
    const off_t data = ::lseek(file, at, SEEK_DATA);
    if (data < 0) return errno == ENXIO ? sum : facts.st_size;  // ENXIO: only a hole follows
    const off_t hole = ::lseek(file, data, SEEK_HOLE);
    if (hole < 0) return facts.st_size;
    sum += hole - data;
    at = hole;
  }
  return sum;
}

// Pages of a file in memory, counted in windows of 1 GiB.
std::int64_t resident_pages(int file) {
  struct stat facts {};
  if (::fstat(file, &facts) != 0) return -1;
  const std::int64_t page = ::sysconf(_SC_PAGESIZE);
  const std::int64_t window = std::int64_t{1} << 30;
  std::int64_t resident = 0;
  for (std::int64_t at = 0; at < facts.st_size; at += window) {
    const auto length =
        static_cast<std::size_t>(std::min<std::int64_t>(window, facts.st_size - at));
    void* mapped = ::mmap(nullptr, length, PROT_READ, MAP_SHARED, file, at);
    if (mapped == MAP_FAILED) return -1;
    std::vector<unsigned char> there((length + static_cast<std::size_t>(page) - 1) /
                                     static_cast<std::size_t>(page));
    const bool known = ::mincore(mapped, length, there.data()) == 0;
    ::munmap(mapped, length);
    if (!known) return -1;
    resident += std::count_if(there.begin(), there.end(), [](unsigned char c) { return c & 1U; });
  }
  return resident;
}

}  // namespace

std::int64_t bytes_of(const std::string& path) {
  std::int64_t sum = 0;
  for_each_file(path, [&](const fs::path& file) {
    std::error_code error;
    const auto bytes = fs::file_size(file, error);
    if (!error) sum += static_cast<std::int64_t>(bytes);
  });
  return sum;
}

std::int64_t data_bytes_of(const std::string& path) {
  std::int64_t sum = 0;
  for_each_file(path, [&](const fs::path& each) {
    const outcome counted = with_open_file(each, "examining", [&](int file) {
      sum += data_bytes(file);
      return 0;
    });
    if (!counted.ok()) sum += bytes_of(each.string());
  });
  return sum;
}

outcome remove_all(const std::string& path) {
  std::error_code error;
  const fs::file_status found = fs::symlink_status(path, error);
  if (fs::exists(found) && !fs::is_regular_file(found) && !fs::is_directory(found) &&
      !fs::is_symlink(found)) {
    return failure(EINVAL, path + " is neither a file nor a directory; it is left alone");
  }
  error.clear();
  fs::remove_all(path, error);
  return error ? system_failure(error.value(), "removing " + path) : outcome{};
}

outcome make_directory(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  return error ? system_failure(error.value(), "making the directory " + path) : outcome{};
}

outcome make_parent_directory(const std::string& path) {
  const fs::path parent = fs::path(path).parent_path();
  return parent.empty() ? outcome{} : make_directory(parent.string());
}

outcome sync_to_device(const std::string& path) {
  outcome done;
  for_each_file(path, [&](const fs::path& each) {
    done.keep(
        with_open_file(each, "syncing", [](int file) { return ::fsync(file) == 0 ? 0 : errno; }));
  });
  return done;
}

outcome evict_pages(const std::string& path, bool& evicted) {
  outcome done;
  evicted = true;
  for_each_file(path, [&](const fs::path& each) {
    done.keep(with_open_file(each, "evicting", [&](int file) {
      if (::fdatasync(file) != 0) return errno;
      const int error = ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
      evicted = resident_pages(file) == 0 && evicted;
      return error;
    }));
  });
  return done;
}

}  // namespace headrace::bench
