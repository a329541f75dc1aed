#include "node_meeting.hpp"

#include <cstring>
#include <new>

namespace headrace {

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
  handle_ = comm.handle();
  rank_ = comm.rank();
  size_ = comm.size();
  slots_ = memory + most_bytes;  // null bytes are a counter at 0
  return true;
}

void node_meeting::meet(const void* shown, std::size_t bytes) noexcept {
  // Others may wait for messages of their users from this MPI rank before they come.
  constexpr std::int64_t between_looks = 300'000;  // nanoseconds
  ++meetings_;
  if (bytes > 0) std::memcpy(const_cast<char*>(of(rank_)), shown, bytes);
  shared_counter& arrived = arrivals();
  arrived.add();
  while (!arrived.sleep_until(meetings_ * size_, between_looks)) {
    int found = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, handle_, &found, MPI_STATUS_IGNORE);
  }
}

}  // namespace headrace
