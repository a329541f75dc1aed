#include "node_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

#include "../../src/core/file_limits.hpp"

namespace headrace {
namespace {

// Where the others find the file.
struct memory_file {
  std::int64_t process = 0;  // 0: there is none
  std::int64_t descriptor = 0;
  std::int64_t device = 0;
  std::int64_t number = 0;
};
static_assert(sizeof(memory_file) == 4 * sizeof(std::int64_t), "it is sent as numbers");

// vm.overcommit_memory=2: what cannot be had is refused when it is asked for, and who touches pages
// of a file that nobody asked for is killed.
bool memory_is_promised() noexcept {
  char text[2] = "";
  const int setting = ::open("/proc/sys/vm/overcommit_memory", O_RDONLY | O_CLOEXEC);
  if (setting < 0) return false;
  const bool is_known = ::read(setting, text, 1) == 1;
  ::close(setting);
  return is_known && text[0] == '2';
}

memory_file make_file(std::size_t length, int& file) noexcept {
  struct stat found {};
  // Beyond that limit the process would be killed.
  if (!is_within_limit(static_cast<std::int64_t>(length))) return {};
  file = ::memfd_create("headrace shared memory", MFD_CLOEXEC);
  if (file < 0 || ::ftruncate(file, static_cast<off_t>(length)) != 0 || ::fstat(file, &found) != 0)
    return {};
  if (memory_is_promised() && ::fallocate(file, 0, 0, static_cast<off_t>(length)) != 0) return {};
  return {::getpid(), file, static_cast<std::int64_t>(found.st_dev),
          static_cast<std::int64_t>(found.st_ino)};
}

// -1 where /proc shows other processes, as in a container for each MPI rank.
int open_file(const memory_file& made) noexcept {
  char name[64] = "";
  struct stat found {};
  std::snprintf(name, sizeof name, "/proc/%lld/fd/%lld", static_cast<long long>(made.process),
                static_cast<long long>(made.descriptor));
  if (::stat(name, &found) != 0 || static_cast<std::int64_t>(found.st_dev) != made.device ||
      static_cast<std::int64_t>(found.st_ino) != made.number)
    return -1;
  return ::open(name, O_RDWR | O_CLOEXEC);
}

void close_file(int& file) noexcept {
  if (file >= 0) ::close(file);
  file = -1;
}

}  // namespace

char* node_memory::map(const communicator& comm, sharers who, std::size_t bytes) {
  memory_file own;
  memory_file made;
  const bool is_first = (who == sharers::node ? comm.node_rank() : comm.rank()) == 0;
  if (is_first && bytes > 0) own = make_file(bytes, file_);
  const auto most_of_all = who == sharers::node ? reduce_on_node : reduce;
  most_of_all(comm, &own, &made, 4, MPI_INT64_T, MPI_MAX);  // the others gave zeros
  if (made.process == 0 || bytes == 0) return nullptr;
  int found = is_first ? file_ : open_file(made);
  if (found < 0) return nullptr;
  void* const data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, found, 0);
  if (found != file_) close_file(found);
  if (data == MAP_FAILED) return nullptr;
  mapped_ = data;
  mapped_bytes_ = bytes;
  return static_cast<char*>(data);
}

void node_memory::all_have_found_it() noexcept {
  close_file(file_);
}

void node_memory::let_go() noexcept {
  close_file(file_);
  if (mapped_ != nullptr) ::munmap(mapped_, mapped_bytes_);
  mapped_ = nullptr;
}

}  // namespace headrace
