// Where the MPI ranks of one machine meet without MPI.
#pragma once

#include <cstdint>

#include "node_memory.hpp"
#include "shared_counter.hpp"

namespace headrace {

// In each meeting every MPI rank shows all others some bytes. Where MPI ranks share processors, one
// that waits sleeps until the last has come, while MPI keeps a processor busy or looks too seldom:
// with 8 of them on two cores one call of MPICH cost 1 to 3 milliseconds.
class node_meeting {
 public:
  static constexpr std::size_t most_bytes = 4096;  // of an MPI rank

  // Collective; all MPI ranks of the communicator are on one machine. false on all where they
  // cannot share memory.
  bool begin(const communicator& comm);
  bool has_begun() const noexcept { return slots_ != nullptr; }

  // Collective. Waits for all; of(rank) is then what each has shown, until the next meeting.
  void meet(const void* shown, std::size_t bytes) noexcept;
  const char* of(int rank) const noexcept {
    const std::int64_t lines = (meetings_ & 1) * size_ + rank;
    return slots_ + static_cast<std::size_t>(lines) * most_bytes;
  }

 private:
  shared_counter& arrivals() const noexcept {
    return *reinterpret_cast<shared_counter*>(slots_ - most_bytes);
  }

  MPI_Comm handle_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 0;
  std::int64_t meetings_ = 0;
  node_memory memory_;
  char* slots_ = nullptr;  // in two sets: some still look at the last meeting
};

}  // namespace headrace
