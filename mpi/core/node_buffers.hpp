// Two buffers for each MPI rank of a node that owns pieces, which all of the node may write and
// read.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "../../src/core/buffer.hpp"

#include "communicator.hpp"

namespace headrace {

// In shared memory, for each MPI rank: what others did for it, and what it has done itself. Nobody
// waits for all, only for those whose elements it needs.
struct exchange_counters {
  // Parts of this MPI rank's pieces that were put in or taken out, for each of its two buffers:
  // some are a cycle ahead of others.
  alignas(64) std::atomic<std::int64_t> parts[2];
  alignas(64) std::atomic<std::int64_t> cycles;  // in which this MPI rank has done its piece
};
static_assert(std::atomic<std::int64_t>::is_always_lock_free, "processes share them");

class node_buffers {
 public:
  node_buffers() = default;
  ~node_buffers();
  node_buffers(const node_buffers&) = delete;
  node_buffers& operator=(const node_buffers&) = delete;

  // Collective over the communicator. owners: MPI ranks that get two buffers of so many bytes, the
  // same on all. Where a node can share no memory, own memory serves, and is_shared() is false
  // everywhere: then everything goes by messages.
  status allocate(const communicator& comm, const std::vector<int>& owners, std::size_t bytes);
  bool is_shared() const noexcept { return shared_; }

  // Collective over the node: what each wrote into buffers and counters before, all see after.
  static void meet(const communicator& comm);

  // Buffer 0 or 1 of an MPI rank of the node, by its place there.
  char* of(int place, int which) const noexcept {
    return part_of(place) + header_bytes + static_cast<std::size_t>(which) * bytes_;
  }
  char* own(int which) const noexcept {
    return own_ + header_bytes + static_cast<std::size_t>(which) * bytes_;
  }
  // Only where is_shared().
  exchange_counters& counters(int place) const noexcept {
    return *reinterpret_cast<exchange_counters*>(part_of(place));
  }

 private:
  static constexpr std::size_t header_bytes = 4096;  // a page for the counters

  char* part_of(int place) const noexcept {
    return parts_ + starts_[static_cast<std::size_t>(place)];
  }
  void find_starts(const communicator& comm, const std::vector<int>& owners);
  bool allocate_shared(const communicator& comm, const std::vector<int>& owners);
  char* map_of_node(const communicator& comm, std::size_t length);
  void unmap() noexcept;

  bool shared_ = false;
  std::size_t bytes_ = 0;
  char* own_ = nullptr;
  buffer memory_;                    // of this MPI rank alone
  char* parts_ = nullptr;            // of all MPI ranks of the node
  std::vector<std::size_t> starts_;  // of each one's part, and the end
  void* mapped_ = nullptr;
  std::size_t mapped_bytes_ = 0;
  int file_ = -1;  // of the node's first MPI rank, until the others have found it
};

}  // namespace headrace
