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

  // Collective over the communicator. is_owner: this MPI rank gets two buffers of so many bytes.
  // Where there is no shared memory (a full /dev/shm), own memory serves, and is_shared() is false
  // everywhere: then everything goes by messages.
  status allocate(const communicator& comm, bool is_owner, std::size_t bytes);
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
    return *reinterpret_cast<exchange_counters*>(aligned(bases_[static_cast<std::size_t>(place)]));
  }

 private:
  // MPI aligns windows as it likes, but in all processes alike: they are mapped page by page.
  static char* aligned(char* base) noexcept {
    const auto address = reinterpret_cast<std::uintptr_t>(base);
    constexpr std::uintptr_t line = alignof(exchange_counters);
    return base + (line - address % line) % line;
  }
  static constexpr std::size_t header_bytes = 4096;  // a page for the counters

  bool allocate_shared(const communicator& comm, std::size_t bytes);

  MPI_Win window_ = MPI_WIN_NULL;
  bool shared_ = false;
  std::size_t bytes_ = 0;
  char* own_ = nullptr;
  buffer memory_;
  std::vector<char*> bases_;
};

}  // namespace headrace
