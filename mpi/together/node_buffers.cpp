#include "node_buffers.hpp"

#include <algorithm>
#include <numeric>

namespace headrace {
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
