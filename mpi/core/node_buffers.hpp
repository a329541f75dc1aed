// Two buffers for each MPI rank of a node that owns pieces, which all of the node may write and
// read.
#pragma once

#include <vector>

#include "communicator.hpp"

namespace headrace {

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
    return bases_[static_cast<std::size_t>(place)] + static_cast<std::size_t>(which) * bytes_;
  }
  char* own(int which) const noexcept { return own_ + static_cast<std::size_t>(which) * bytes_; }

  // What was written before is seen by all MPI ranks of the node after.
  void barrier() const;

 private:
  bool allocate_shared(const communicator& comm, std::size_t bytes);

  MPI_Win window_ = MPI_WIN_NULL;
  MPI_Comm node_ = MPI_COMM_NULL;
  bool shared_ = false;
  std::size_t bytes_ = 0;
  char* own_ = nullptr;
  std::vector<char> memory_;
  std::vector<char*> bases_;
};

}  // namespace headrace
