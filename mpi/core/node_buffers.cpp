#include "node_buffers.hpp"

#include <cerrno>
#include <new>

#include "disk_room.hpp"

namespace headrace {
namespace {

constexpr std::size_t page = 4096;
// What MPI adds to the file of a node's shared memory, more than enough.
constexpr std::size_t file_overhead = std::size_t{1} << 20;

// Shared memory is a file. Open MPI's MPI ranks wait for ever when one may not make it so long.
bool file_is_within_limit(const communicator& comm, std::size_t bytes_of_each) {
  const std::size_t most = static_cast<std::size_t>(comm.node_size()) * (bytes_of_each + page);
  const int mine = is_within_limit(static_cast<std::int64_t>(most + file_overhead)) ? 1 : 0;
  int all = 0;
  reduce_on_node(comm, &mine, &all, 1, MPI_INT, MPI_MIN);
  return all != 0;
}

}  // namespace

node_buffers::~node_buffers() {
  if (window_ == MPI_WIN_NULL) return;
  MPI_Win_unlock_all(window_);
  MPI_Win_free(&window_);
}

status node_buffers::allocate(const communicator& comm, bool is_owner, std::size_t bytes) {
  bytes_ = (bytes + page - 1) / page * page;
  int works = allocate_shared(comm, header_bytes + (is_owner ? 2 * bytes_ : 0)) ? 1 : 0;
  int all_work = 0;
  reduce(comm, &works, &all_work, 1, MPI_INT, MPI_MIN);
  shared_ = all_work != 0;
  if (shared_ || !is_owner) return {};
  try {
    memory_.reserve(header_bytes + 2 * bytes_);
  } catch (const std::bad_alloc&) {
    return status::system(ENOMEM, "no memory left for the buffers of the exchange");
  }
  own_ = memory_.data();
  return {};
}

bool node_buffers::allocate_shared(const communicator& comm, std::size_t bytes) {
  if (comm.node_size() == 1) {  // nobody to share with
    try {
      memory_.reserve(bytes);
    } catch (const std::bad_alloc&) {
      return false;
    }
    own_ = memory_.data();
    bases_.assign(1, own_);
    new (aligned(own_)) exchange_counters{};
    return true;
  }
  if (!file_is_within_limit(comm, header_bytes + 2 * bytes_)) return false;
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  // Each MPI rank's buffers begin on a page of their own, near the processor that uses them.
  MPI_Info_set(info, "alloc_shared_noncontig", "true");
  void* base = nullptr;
  const int code =
      MPI_Win_allocate_shared(static_cast<MPI_Aint>(bytes), 1, info, comm.node(), &base, &window_);
  MPI_Info_free(&info);
  if (code != MPI_SUCCESS) {
    window_ = MPI_WIN_NULL;
    return false;
  }
  own_ = static_cast<char*>(base);
  bases_.resize(static_cast<std::size_t>(comm.node_size()));
  for (int place = 0; place < comm.node_size(); ++place) {
    MPI_Aint size = 0;
    int unit = 0;
    void* address = nullptr;
    MPI_Win_shared_query(window_, place, &size, &unit, &address);
    bases_[static_cast<std::size_t>(place)] = static_cast<char*>(address);
  }
  MPI_Win_lock_all(MPI_MODE_NOCHECK, window_);
  new (aligned(own_)) exchange_counters{};
  MPI_Win_sync(window_);
  barrier_on_node(comm);  // nobody counts before all counters are 0
  MPI_Win_sync(window_);
  return true;
}

}  // namespace headrace
