#include "node_meeting.hpp"

#include <cstring>

namespace headrace {

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
  char* const memory = memory_.map(comm, sharers::all, most_bytes * (1 + 2 * size));
  const int mine = memory != nullptr ? 1 : 0;
  int all = 0;
  reduce(comm, &mine, &all, 1, MPI_INT, MPI_MIN);
  memory_.all_have_found_it();
  if (all == 0) {
    memory_.let_go();
    return false;
  }
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

}  // namespace headrace
