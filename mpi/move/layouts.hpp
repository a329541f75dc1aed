// How a global array is spread over MPI ranks. Next: exchange.hpp moves its elements.
#pragma once

#include "../together/communicator.hpp"
#include "boxes.hpp"

namespace headrace {

class array_layout {
 public:
  // Collective: all MPI ranks' blocks are checked: within the array, and without overlap and gap
  // unless the layout is for reading only.
  static status make(const communicator_ptr& comm, const box& own, const index_list& global,
                     bool for_reading, std::shared_ptr<const array_layout>& made);

  // The same blocks on another communicator of the same MPI ranks, such as a dataset's: who leaves
  // a call of the dataset waits for the others there.
  array_layout on(const communicator_ptr& comm) const;

  // The same blocks of the array with its dimensions in reverse.
  array_layout reversed() const;

  const communicator& comm() const noexcept { return *comm_; }
  const communicator_ptr& comm_ptr() const noexcept { return comm_; }
  // Whether it came from the other one by on().
  bool has_blocks_of(const array_layout& other) const noexcept { return blocks_ == other.blocks_; }
  int array_rank() const noexcept { return global_.array_rank; }
  // The whole array; start is 0.
  const box& global() const noexcept { return global_; }
  // Blocks may overlap, and elements may be missing: nothing can be written with it.
  bool for_reading() const noexcept { return for_reading_; }
  // Whether the blocks together are smaller than the array.
  bool is_part() const noexcept { return is_part_; }
  // Elements of the largest block.
  std::int64_t largest_block() const noexcept { return largest_block_; }
  const box& own() const { return block(comm_->rank()); }
  const box& block(int rank) const { return (*blocks_)[static_cast<std::size_t>(rank)]; }

 private:
  status check_overlap() const;

  communicator_ptr comm_;
  bool for_reading_ = false;
  bool is_part_ = false;
  std::int64_t largest_block_ = 0;
  box global_;
  std::shared_ptr<std::vector<box>> blocks_;  // of every MPI rank
};

using layout_ptr = std::shared_ptr<const array_layout>;

}  // namespace headrace
