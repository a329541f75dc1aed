#include "node_buffers.hpp"

#include <algorithm>
#include <atomic>
#include <new>
#include <numeric>

#include "../../src/core/file_limits.hpp"

namespace headrace {
namespace {

constexpr std::size_t page = 4096;
// What MPI adds to the file of a node's window, more than enough.
constexpr std::size_t file_overhead = std::size_t{1} << 20;

// MPI aligns windows as it likes, but in all processes alike: they are mapped page by page.
char* next_page(void* begin) noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  return static_cast<char*>(begin) + (page - address % page) % page;
}

}  // namespace

node_buffers::~node_buffers() {
  let_go();
}

void node_buffers::let_go() noexcept {
  mapped_.let_go();
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
  mapped_.all_have_found_it();
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
  char* const parts = comm.node_size() == 1
                          ? memory_.data()
                          : mapped_.map(comm, sharers::node, has_starts ? starts_.back() : 0);
  if (!has_starts || parts == nullptr) return false;
  for (std::size_t place = 0; place < bases_.size(); ++place)
    bases_[place] = parts + starts_[place];
  return true;
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
  if (!is_null()) new (own_) exchange_counters{};  // others may count already
}

void node_buffers::meet(const communicator& comm) const {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (window_ != MPI_WIN_NULL) MPI_Win_sync(window_);
  barrier_on_node(comm);
  if (window_ != MPI_WIN_NULL) MPI_Win_sync(window_);
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

}  // namespace headrace
