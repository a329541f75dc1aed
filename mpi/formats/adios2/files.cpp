#include "files.hpp"

#include <dirent.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <list>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "../../disk/positioned_file.hpp"
#include "../../disk/room.hpp"

namespace headrace {
namespace {

// BP4 has no mmd.0.
constexpr std::array index_files = {"/md.0", "/md.idx", "/mmd.0"};

// What ADIOS2 opens beside the files that it keeps open: directories, its profile. A few more for
// what MPI opens meanwhile.
constexpr int spare_descriptors = 6;

// Files that are new and stay open while it lives.
class new_files {
 public:
  status create(const std::string& file) {
    status done = files_.emplace_back().create(file);
    if (done.code() == EMFILE) return std::move(done).advise(advice);
    return done;
  }
  // As many more descriptors as ADIOS2 takes now and then.
  status open_spare(const std::string& store) {
    for (int n = 0; n < spare_descriptors; ++n)
      if (status s = files_.emplace_back().open_to_read("/dev/null"); !s.ok())
        return std::move(s).in_file(store).advise(advice);
    return {};
  }
  status close() {
    status done;
    for (positioned_file& one : files_)
      if (one.is_open()) done.keep_first(one.close());
    return done;
  }

 private:
  static constexpr const char* advice = "raise the limit of open files: ulimit -n";
  std::list<positioned_file> files_;
};

// Behind the end; success too where a file system cannot reserve.
status reserve(const std::string& file, std::int64_t bytes) {
  struct stat found {};
  if (::stat(file.c_str(), &found) != 0) return {};
  const int error = error_of_reserving(file, {{found.st_size, found.st_size + bytes}});
  if (error == 0) return {};
  return status::system(error, "there is no room for the index").in_file(file);
}

// What a descriptor of this process is open on; empty when nobody knows.
std::string path_of(const std::string& descriptor) {
  std::array<char, PATH_MAX> path{};
  const ssize_t length =
      ::readlink(("/proc/self/fd/" + descriptor).c_str(), path.data(), path.size());
  return length > 0 ? std::string(path.data(), static_cast<std::size_t>(length)) : "";
}

// Of the memory in which the files of a store end: its own name is unique.
std::string memory_name(const std::string& store) {
  const std::string name = store.substr(store.rfind('/') + 1);
  return name.substr(name.size() - std::min<std::size_t>(name.size(), 100));
}

// In this process, on files of the store or the memory that took their place.
std::vector<int> descriptors_of(const std::string& store) {
  std::vector<int> found;
  const std::string in_store = store + "/";
  const std::string in_memory = "/memfd:" + memory_name(store);
  const std::unique_ptr<DIR, int (*)(DIR*)> open_files(::opendir("/proc/self/fd"), ::closedir);
  if (open_files == nullptr) return found;
  while (const dirent* const entry = ::readdir(open_files.get())) {
    const std::string path = path_of(entry->d_name);
    if (path.rfind(in_store, 0) == 0 || path.rfind(in_memory, 0) == 0)
      found.push_back(std::atoi(entry->d_name));
  }
  return found;
}

}  // namespace

status adios2_create_files(const std::string& store, adios2_engine_kind kind, int writer) {
  new_files made;
  if (status s = made.create(store + "/data." + std::to_string(writer)); !s.ok()) return s;
  for (const char* const name : index_files) {
    if (writer != 0 || (kind == adios2_engine_kind::bp4 && name == index_files.back())) continue;
    if (status s = made.create(store + name); !s.ok()) return s;
  }
  if (status s = made.open_spare(store); !s.ok()) return s;
  return made.close();
}

status adios2_reserve_index(const std::string& store, std::int64_t bytes) {
  for (const char* const name : index_files)
    if (status s = reserve(store + name, bytes); !s.ok()) return s;
  return {};
}

void adios2_release_index(const std::string& store) noexcept try {
  for (const char* const name : index_files) release_blocks_behind_the_end(store + name);
} catch (const std::bad_alloc&) {
  return;  // the store is whole with them too
}

std::string adios2_path_of(const std::string& store) {
  char* const whole = ::realpath(store.c_str(), nullptr);
  const std::string path = whole == nullptr ? store : whole;
  std::free(whole);
  return path;
}

void adios2_drop_files(const std::string& store) {
  for (const int descriptor : descriptors_of(store)) {
    // Not /dev/null: ADIOS2 checks where it has moved to.
    const int memory = ::memfd_create(memory_name(store).c_str(), MFD_CLOEXEC);
    if (memory < 0) continue;
    ::dup2(memory, descriptor);
    ::close(memory);
  }
}

void adios2_close_files(const std::string& store) {
  for (const int descriptor : descriptors_of(store)) ::close(descriptor);
}

}  // namespace headrace
