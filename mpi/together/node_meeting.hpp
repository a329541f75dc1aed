// Memory that the MPI ranks of a node share, counters in it, and how they meet there without MPI.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../src/core/buffer.hpp"
#include "communicator.hpp"
#include "node_meeting.hpp"

namespace headrace {

// Grows by one at a time. Null bytes are a counter at 0. What was written before add() is seen by
// those who saw the count reached.
class shared_counter {
 public:
  void add() noexcept;
  bool has_reached(std::int64_t wanted) const noexcept {
    return count_.load(std::memory_order_acquire) >= wanted;
  }
  // Sleeps till then, but no longer than so many nanoseconds: false if the count is not reached.
  // Linux wakes those who wait for this very count, as soon as there is a processor for them, and
  // nobody else.
  bool sleep_until(std::int64_t wanted, std::int64_t nanoseconds) noexcept;

 private:
  std::atomic<std::int64_t> count_{0};
  std::atomic<std::int32_t> sleepers_{0};
};
static_assert(std::atomic<std::int64_t>::is_always_lock_free &&
                  std::atomic<std::int32_t>::is_always_lock_free,
              "processes share them");

// A file without a name, which the first of them makes: in a tenth of the time of
// MPI_Win_allocate_shared, whose collective calls may each wait for a turn of the scheduler if
// MPI ranks share processors (MPICH).
class node_memory {
 public:
  node_memory() = default;
  ~node_memory() { let_go(); }
  node_memory(const node_memory&) = delete;
  node_memory& operator=(const node_memory&) = delete;

  // Collective over the communicator: memory for each node. bytes: 0 if this MPI rank cannot
  // take part. Null bytes from the begin of a page on; nullptr on all if one has no file to
  // share.
  char* map(const communicator& comm, std::size_t bytes);

 private:
  char* map_on_node(const communicator& comm, std::size_t bytes);
  void let_go() noexcept;

  void* mapped_ = nullptr;
  std::size_t mapped_bytes_ = 0;
  int file_ = -1;  // of the first MPI rank, until the others have found it
};

// Waits for a counter in memory that this process shares with others. Every 0.3 milliseconds MPI
// may go on: others may need messages of their users from this MPI rank before they come.
void wait_for(const communicator& comm, shared_counter& counter, std::int64_t wanted) noexcept;

// In each meeting every MPI rank shows all others some bytes. If MPI ranks share processors, one
// that waits sleeps until the last has come, while MPI keeps a processor busy or looks too seldom:
// with 8 of them on two cores one call of MPICH cost 1 to 3 milliseconds.
class node_meeting {
 public:
  static constexpr std::size_t most_bytes = 1024;  // of an MPI rank

  // Collective; all MPI ranks of the communicator are on one node. false on all if they cannot
  // share memory.
  bool begin(const communicator& comm);

  // Collective. Waits for all; of(rank) is then what each has shown, until the next meeting.
  void meet(const communicator& comm, const void* shown, std::size_t bytes) noexcept;
  const char* of(int rank) const noexcept {
    const std::int64_t lines = (meetings_ & 1) * size_ + rank;
    return slots_ + static_cast<std::size_t>(lines) * most_bytes;
  }

 private:
  shared_counter& arrivals() const noexcept {
    return *reinterpret_cast<shared_counter*>(slots_ - most_bytes);
  }

  int size_ = 0;
  std::int64_t meetings_ = 0;
  node_memory memory_;
  char* slots_ = nullptr;  // in two sets: some still look at the last meeting
};

// Two buffers for each MPI rank of a node that owns pieces, which all of the node may write and
// read.
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
  // same on all; they begin with a page. In a file of memory; if the MPI ranks of a node cannot
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
  // Only if is_shared().
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
