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
// What MPI adds to the file of a node's window, more than enough.
constexpr std::size_t file_overhead = std::size_t{1} << 20;

// Memory that the first MPI rank of a node makes, a file without a name, and where the others find
// it: in a tenth of the time of MPI_Win_allocate_shared, whose collective calls may each wait for a
// turn of the scheduler where MPI ranks share processors (MPICH).
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
  file = ::memfd_create("headrace exchange", MFD_CLOEXEC);
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

// MPI aligns windows as it likes, but in all processes alike: they are mapped page by page.
char* next_page(void* begin) noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  return static_cast<char*>(begin) + (page - address % page) % page;
}

}  // namespace

node_buffers::~node_buffers() {
  close_file(file_);
  let_go();
}

void node_buffers::let_go() noexcept {
  if (mapped_ != nullptr) ::munmap(mapped_, mapped_bytes_);
  mapped_ = nullptr;
  if (window_ == MPI_WIN_NULL) return;
  MPI_Win_unlock_all(window_);
  MPI_Win_free(&window_);
}

status node_buffers::allocate(const communicator& comm, const std::vector<int>& owners,
                              std::size_t bytes) {
  bytes_ = (bytes + page - 1) / page * page;
  const status ready = find_starts(comm, owners);
  enum stages { unready, without_file, shared };
  const auto everywhere = [&](int mine) {
    int all = 0;
    reduce(comm, &mine, &all, 1, MPI_INT, MPI_MIN);
    return all;
  };
  const bool has_file = allocate_file(comm) && ready.ok();
  int stage = everywhere(!ready.ok() ? unready : has_file ? shared : without_file);
  close_file(file_);
  if (stage == without_file) {
    let_go();
    stage = everywhere(window_is_within_limit(comm) ? shared : without_file);
    if (stage == shared) stage = everywhere(allocate_window(comm) ? shared : without_file);
  }
  shared_ = stage == shared;
  if (shared_) {
    begin_counting(comm);
    return {};
  }
  let_go();
  if (std::find(owners.begin(), owners.end(), comm.rank()) == owners.end()) return {};
  const status alone = caught([&] {
    memory_.reserve(header_bytes + 2 * bytes_);
    return status();
  });
  own_ = memory_.data();
  return alone;
}

// Not collective. Sizes bases_ too, and takes the memory of an MPI rank that is alone on its node.
status node_buffers::find_starts(const communicator& comm, const std::vector<int>& owners) {
  return caught([&] {
    bases_.assign(static_cast<std::size_t>(comm.node_size()), nullptr);
    starts_.assign(bases_.size() + 1, header_bytes);
    starts_[0] = 0;
    for (const int owner : owners)
      if (comm.node_of(owner) == comm.node_of(comm.rank()))
        starts_[static_cast<std::size_t>(comm.place_in_node(owner)) + 1] += 2 * bytes_;
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    if (comm.node_size() == 1) memory_.reserve(starts_.back());
    return status();
  });
}

// Collective over the node, also for who has no starts.
bool node_buffers::allocate_file(const communicator& comm) {
  const bool has_starts = !starts_.empty() && starts_.size() == bases_.size() + 1;
  char* const parts =
      comm.node_size() == 1 ? memory_.data() : map_file(comm, has_starts ? starts_.back() : 0);
  if (!has_starts || parts == nullptr) return false;
  for (std::size_t place = 0; place < bases_.size(); ++place)
    bases_[place] = parts + starts_[place];
  return true;
}

// length: 0 where this MPI rank cannot take part. Null where there is no file to share.
char* node_buffers::map_file(const communicator& comm, std::size_t length) {
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

// A window is a file. Open MPI's MPI ranks wait for ever when one may not make it so long.
bool node_buffers::window_is_within_limit(const communicator& comm) const noexcept {
  const std::size_t bytes = starts_.back() + bases_.size() * 2 * page + file_overhead;
  return comm.node_size() == 1 || is_within_limit(static_cast<std::int64_t>(bytes));
}

// Collective over the node.
bool node_buffers::allocate_window(const communicator& comm) {
  if (comm.node_size() == 1) return true;  // has its memory
  const auto place = static_cast<std::size_t>(comm.node_rank());
  const std::size_t bytes = starts_[place + 1] - starts_[place] + page;
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  // Each MPI rank's part near the processor that uses it.
  MPI_Info_set(info, "alloc_shared_noncontig", "true");
  void* base = nullptr;
  const int code =
      MPI_Win_allocate_shared(static_cast<MPI_Aint>(bytes), 1, info, comm.node(), &base, &window_);
  MPI_Info_free(&info);
  const int mine = code == MPI_SUCCESS ? 1 : 0;
  int all = 0;
  reduce_on_node(comm, &mine, &all, 1, MPI_INT, MPI_MIN);
  if (all == 0) {
    window_ = MPI_WIN_NULL;  // to free what not all have would be no collective call
    return false;
  }
  for (std::size_t other = 0; other < bases_.size(); ++other) {
    MPI_Aint size = 0;
    int unit = 0;
    MPI_Win_shared_query(window_, static_cast<int>(other), &size, &unit, &base);
    bases_[other] = next_page(base);
  }
  MPI_Win_lock_all(MPI_MODE_NOCHECK, window_);
  return true;
}

void node_buffers::begin_counting(const communicator& comm) {
  own_ = bases_[static_cast<std::size_t>(comm.node_rank())];
  new (own_) exchange_counters{};
}

void node_buffers::meet(const communicator& comm) const {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (window_ != MPI_WIN_NULL) MPI_Win_sync(window_);
  barrier_on_node(comm);
  if (window_ != MPI_WIN_NULL) MPI_Win_sync(window_);
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

}  // namespace headrace
