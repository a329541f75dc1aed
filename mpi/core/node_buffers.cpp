#include "node_buffers.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <new>
#include <numeric>

#include "disk_room.hpp"

namespace headrace {
namespace {

constexpr std::size_t page = 4096;

// Memory that the first MPI rank of a node makes, a file without a name, and where the others find
// it. MPI_Win_allocate_shared makes many collective calls, and each may wait for a turn of the
// scheduler where MPI ranks share processors.
struct memory_file {
  std::int64_t process = 0;  // 0: there is none
  std::int64_t descriptor = 0;
  std::int64_t device = 0;
  std::int64_t number = 0;
};
static_assert(sizeof(memory_file) == 4 * sizeof(std::int64_t), "it is sent as numbers");

memory_file make_file(std::size_t length, int& file) noexcept {
  struct stat found {};
  // Beyond that limit the process would be killed.
  if (!is_within_limit(static_cast<std::int64_t>(length))) return {};
  file = ::memfd_create("headrace", MFD_CLOEXEC);
  if (file < 0 || ::ftruncate(file, static_cast<off_t>(length)) != 0 || ::fstat(file, &found) != 0)
    return {};
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

node_buffers::~node_buffers() {
  close_file(file_);
  unmap();
}

void node_buffers::unmap() noexcept {
  if (mapped_ != nullptr) ::munmap(mapped_, mapped_bytes_);
  mapped_ = nullptr;
}

status node_buffers::allocate(const communicator& comm, const std::vector<int>& owners,
                              std::size_t bytes) {
  bytes_ = (bytes + page - 1) / page * page;
  const int works = allocate_shared(comm, owners) ? 1 : 0;
  int all_work = 0;
  reduce(comm, &works, &all_work, 1, MPI_INT, MPI_MIN);
  close_file(file_);
  shared_ = all_work != 0;
  if (shared_) return {};
  unmap();
  if (std::find(owners.begin(), owners.end(), comm.rank()) == owners.end()) return {};
  const status ready = caught([&] {
    memory_.reserve(header_bytes + 2 * bytes_);
    return status();
  });
  own_ = memory_.data();
  return ready;
}

void node_buffers::find_starts(const communicator& comm, const std::vector<int>& owners) {
  starts_.assign(static_cast<std::size_t>(comm.node_size()) + 1, header_bytes);
  starts_[0] = 0;
  for (const int owner : owners)
    if (comm.node_of(owner) == comm.node_of(comm.rank()))
      starts_[static_cast<std::size_t>(comm.place_in_node(owner)) + 1] += 2 * bytes_;
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
}

bool node_buffers::allocate_shared(const communicator& comm, const std::vector<int>& owners) {
  const bool is_alone = comm.node_size() == 1;
  const status ready = caught([&] {
    find_starts(comm, owners);
    if (is_alone) memory_.reserve(starts_.back());
    return status();
  });
  parts_ = is_alone ? memory_.data() : map_of_node(comm, ready.ok() ? starts_.back() : 0);
  if (!ready.ok() || parts_ == nullptr) return false;
  own_ = part_of(comm.node_rank());
  new (own_) exchange_counters{};
  return true;
}

// length: 0 where this MPI rank cannot take part. Null where there is no memory to share.
char* node_buffers::map_of_node(const communicator& comm, std::size_t length) {
  memory_file own;
  memory_file made;
  if (comm.node_rank() == 0 && length > 0) own = make_file(length, file_);
  reduce_on_node(comm, &own, &made, 4, MPI_INT64_T, MPI_MAX);  // the others gave zeros
  if (made.process == 0 || length == 0) return nullptr;
  int found = comm.node_rank() == 0 ? file_ : open_file(made);
  if (found < 0) return nullptr;
  void* const data = ::mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_SHARED, found, 0);
  if (found != file_) close_file(found);
  if (data == MAP_FAILED) return nullptr;
  mapped_ = data;
  mapped_bytes_ = length;
  return static_cast<char*>(data);
}

void node_buffers::meet(const communicator& comm) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  barrier_on_node(comm);
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

}  // namespace headrace
