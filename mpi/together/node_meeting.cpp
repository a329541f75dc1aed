#include "node_meeting.hpp"

#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <numeric>

#include "../../src/core/file_limits.hpp"

namespace headrace {
namespace {

// Linux looks at 32 bits: the lower ones.
std::uint32_t* word_of(std::atomic<std::int64_t>& count) noexcept {
  const bool lower_first = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
  return reinterpret_cast<std::uint32_t*>(&count) + (lower_first ? 0 : 1);
}

// Sleepers name the count that they wait for by one of 32 bits.
std::uint32_t bit_of(std::int64_t count) noexcept {
  return std::uint32_t{1} << (count & 31);
}

std::timespec time_after(std::int64_t nanoseconds) noexcept {
  constexpr std::int64_t second = 1'000'000'000;
  std::timespec end{};
  ::clock_gettime(CLOCK_MONOTONIC, &end);
  nanoseconds += end.tv_nsec;
  end.tv_sec += nanoseconds / second;
  end.tv_nsec = static_cast<long>(nanoseconds % second);
  return end;
}

}  // namespace

void shared_counter::add() noexcept {
  const std::int64_t reached = count_.fetch_add(1) + 1;
  if (sleepers_.load() > 0)
    ::syscall(SYS_futex, word_of(count_), FUTEX_WAKE_BITSET, INT_MAX, nullptr, nullptr,
              bit_of(reached));
}

bool shared_counter::sleep_until(std::int64_t wanted, std::int64_t nanoseconds) noexcept {
  if (has_reached(wanted)) return true;
  const std::timespec end = time_after(nanoseconds);
  sleepers_.fetch_add(1);  // before the look: who adds looks the other way round
  bool in_time = true;
  for (std::int64_t seen = count_.load(); seen < wanted && in_time; seen = count_.load()) {
    const long slept = ::syscall(SYS_futex, word_of(count_), FUTEX_WAIT_BITSET,
                                 static_cast<std::uint32_t>(seen), &end, nullptr, bit_of(wanted));
    in_time = slept == 0 || errno == EAGAIN || errno == EINTR;
    if (!in_time && errno != ETIMEDOUT) ::sched_yield();  // if Linux lets nobody sleep
  }
  sleepers_.fetch_sub(1);
  return has_reached(wanted);
}

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

// -1 if /proc shows other processes, as in a container for each MPI rank.
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

char* node_memory::map_on_node(const communicator& comm, std::size_t bytes) {
  memory_file own;
  memory_file made;
  const bool is_first = comm.node_rank() == 0;
  const bool is_alone = comm.node_size() == 1;  // on its node: it needs no file
  if (is_first && !is_alone && bytes > 0) own = make_file(bytes, file_);
  // The others gave zeros.
  if (!is_alone) reduce_on_node(comm, &own, &made, 4, MPI_INT64_T, MPI_MAX);
  if ((made.process == 0 && !is_alone) || bytes == 0) return nullptr;
  int found = is_first ? file_ : open_file(made);
  if (found < 0 && !is_alone) return nullptr;
  void* const data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            is_alone ? MAP_SHARED | MAP_ANONYMOUS : MAP_SHARED, found, 0);
  if (found != file_) close_file(found);
  if (data == MAP_FAILED) return nullptr;
  mapped_ = data;
  mapped_bytes_ = bytes;
  return static_cast<char*>(data);
}

char* node_memory::map(const communicator& comm, std::size_t bytes) {
  char* const memory = map_on_node(comm, bytes);
  const int mine = memory != nullptr ? 1 : 0;
  int all = 0;
  reduce(comm, &mine, &all, 1, MPI_INT, MPI_MIN);
  close_file(file_);  // all have found it
  if (all == 0) let_go();
  return all == 0 ? nullptr : memory;
}

void node_memory::let_go() noexcept {
  close_file(file_);
  if (mapped_ != nullptr) ::munmap(mapped_, mapped_bytes_);
  mapped_ = nullptr;
}

void wait_for(const communicator& comm, shared_counter& counter, std::int64_t wanted) noexcept {
  constexpr std::int64_t between_looks = 300'000;  // nanoseconds
  while (!counter.sleep_until(wanted, between_looks)) {
    int found = 0;
    collective_must_work(comm.handle(), MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm.handle(),
                                                   &found, MPI_STATUS_IGNORE));
  }
}

bool node_meeting::begin(const communicator& comm) {
  const auto size = static_cast<std::size_t>(comm.size());
  char* const memory = memory_.map(comm, most_bytes * (1 + 2 * size));
  if (memory == nullptr) return false;
  size_ = comm.size();
  slots_ = memory + most_bytes;  // null bytes are a counter at 0
  return true;
}

void node_meeting::meet(const communicator& comm, const void* shown, std::size_t bytes) noexcept {
  ++meetings_;
  if (bytes > 0) std::memcpy(const_cast<char*>(of(comm.rank())), shown, bytes);
  arrivals().add();
  wait_for(comm, arrivals(), meetings_ * size_);
}

namespace {

constexpr std::size_t page = 4096;

}  // namespace

status node_buffers::allocate(const communicator& comm, const std::vector<int>& owners,
                              std::size_t bytes) {
  bytes_ = (bytes + page - 1) / page * page;
  std::vector<std::size_t> starts;  // of the parts of the node's MPI ranks, and the end
  const status ready = caught([&] {
    bases_.assign(static_cast<std::size_t>(comm.node_size()), nullptr);
    starts.assign(bases_.size() + 1, header_bytes);
    starts[0] = 0;
    for (const int owner : owners)
      if (comm.node_of(owner) == comm.node_of(comm.rank()))
        starts[static_cast<std::size_t>(comm.place_in_node(owner)) + 1] += 2 * bytes_;
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    return status();
  });
  char* const parts = mapped_.map(comm, ready.ok() ? starts.back() : 0);
  shared_ = parts != nullptr;
  if (shared_) {
    for (std::size_t place = 0; place < bases_.size(); ++place)
      bases_[place] = parts + starts[place];
    own_ = bases_[static_cast<std::size_t>(comm.node_rank())];
    return {};
  }
  if (std::find(owners.begin(), owners.end(), comm.rank()) == owners.end()) return {};
  const status alone = caught([&] {
    memory_.reserve(header_bytes + 2 * bytes_);
    return status();
  });
  own_ = memory_.data();
  return alone;
}

}  // namespace headrace
