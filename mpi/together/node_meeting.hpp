// Where the MPI ranks of one machine meet without MPI.
#pragma once

#include <cstdint>

#include "node_memory.hpp"
#include "shared_counter.hpp"

namespace headrace {

// Waits for a counter in memory that this process shares with others. Every 0.3 milliseconds MPI
// may go on: others may need messages of their users from this MPI rank before they come.
void wait_for(const communicator& comm, shared_counter& counter, std::int64_t wanted) noexcept;

// In each meeting every MPI rank shows all others some bytes. Where MPI ranks share processors, one
// that waits sleeps until the last has come, while MPI keeps a processor busy or looks too seldom:
// with 8 of them on two cores one call of MPICH cost 1 to 3 milliseconds.
class node_meeting {
 public:
  static constexpr std::size_t most_bytes = 1024;  // of an MPI rank

  // Collective; all MPI ranks of the communicator are on one machine. false on all where they
  // cannot share memory.
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

}  // namespace headrace
