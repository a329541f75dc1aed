// Two buffers for each MPI rank of a node that owns pieces, which all of the node may write and
// read.
#pragma once

#include <cstdint>
#include <vector>

#include "../../src/core/buffer.hpp"
#include "node_meeting.hpp"

namespace headrace {

// In shared memory, for each MPI rank: what others did for it, and what it has done itself. Nobody
// waits for all, only for those whose elements it needs.
struct exchange_counters {
  // Parts of this MPI rank's pieces that were put in or taken out, for each of its two buffers:
  // some are a cycle ahead of others.
  alignas(64) shared_counter parts[2];
  alignas(64) shared_counter cycles;  // in which this MPI rank has done its piece
};

class node_buffers {
 public:
  // Collective over the communicator. owners: MPI ranks that get two buffers of so many bytes, the
  // same on all; they begin with a page. In a file of memory; where the MPI ranks of a node cannot
  // open it, own memory serves, and is_shared() is false everywhere: then everything goes by
  // messages.
  status allocate(const communicator& comm, const std::vector<int>& owners, std::size_t bytes);
  // Then they are null bytes, counters too: nobody needs to wait for that.
  bool is_shared() const noexcept { return shared_; }

  // Buffer 0 or 1 of an MPI rank of the node, by its place there.
  char* of(int place, int which) const noexcept {
    return bases_[static_cast<std::size_t>(place)] + header_bytes +
           static_cast<std::size_t>(which) * bytes_;
  }
  char* own(int which) const noexcept {
    return own_ + header_bytes + static_cast<std::size_t>(which) * bytes_;
  }
  // Only where is_shared().
  exchange_counters& counters(int place) const noexcept {
    return *reinterpret_cast<exchange_counters*>(bases_[static_cast<std::size_t>(place)]);
  }

 private:
  static constexpr std::size_t header_bytes = 4096;  // a page for the counters

  bool shared_ = false;
  std::size_t bytes_ = 0;
  char* own_ = nullptr;
  std::vector<char*> bases_;  // of the parts of the node's MPI ranks
  buffer memory_;             // of this MPI rank alone
  node_memory mapped_;
};

}  // namespace headrace
