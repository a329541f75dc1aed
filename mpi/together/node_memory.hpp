// Memory that the MPI ranks of a node share.
#pragma once

#include <cstddef>

#include "communicator.hpp"

namespace headrace {

// Those of a node, or all of a communicator, which are on one machine then.
enum class sharers { node, all };

// A file without a name, which the first of them makes: in a tenth of the time of
// MPI_Win_allocate_shared, whose collective calls may each wait for a turn of the scheduler where
// MPI ranks share processors (MPICH).
class node_memory {
 public:
  node_memory() = default;
  ~node_memory() { let_go(); }
  node_memory(const node_memory&) = delete;
  node_memory& operator=(const node_memory&) = delete;

  // Collective over them. bytes: 0 where this MPI rank cannot take part. Null bytes from the begin
  // of a page on; nullptr where there is no file to share, on some MPI ranks or on all.
  char* map(const communicator& comm, sharers who, std::size_t bytes);
  // After a collective call that followed map().
  void all_have_found_it() noexcept;
  void let_go() noexcept;

 private:
  void* mapped_ = nullptr;
  std::size_t mapped_bytes_ = 0;
  int file_ = -1;  // of the first MPI rank, until the others have found it
};

}  // namespace headrace
