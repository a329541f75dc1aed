#include "node_buffers.hpp"

#include <algorithm>
#include <atomic>
#include <new>
#include <numeric>

namespace headrace {
namespace {

constexpr std::size_t page = 4096;

}  // namespace

status node_buffers::allocate(const communicator& comm, const std::vector<int>& owners,
                              std::size_t bytes) {
  bytes_ = (bytes + page - 1) / page * page;
  const status ready = find_starts(comm, owners);
  const int mine = allocate_file(comm) && ready.ok() ? 1 : 0;
  int all = 0;
  reduce(comm, &mine, &all, 1, MPI_INT, MPI_MIN);
  mapped_.all_have_found_it();
  shared_ = all != 0;
  if (shared_) {
    own_ = bases_[static_cast<std::size_t>(comm.node_rank())];
    if (!is_null()) new (own_) exchange_counters{};  // others may count already
    return {};
  }
  mapped_.let_go();
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

void node_buffers::meet(const communicator& comm) const {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  barrier_on_node(comm);
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

}  // namespace headrace
