// The pieces that the first MPI rank of each node writes for all of it (file_per_node).
#pragma once

#include "../../move/plans.hpp"

namespace headrace {

// As many pieces for each node as for the largest, the last ones empty: writing out is collective
// among the writers, so each of them must act in every cycle.
class adios2_node_plan final : public piece_plan {
 public:
  adios2_node_plan(const array_layout& layout, std::int64_t file_bytes, std::int64_t piece_bytes);

  std::int64_t cycles() const override { return blocks_->cycles(); }
  std::int64_t largest_piece() const override { return blocks_->largest_piece(); }
  piece at(int owner, std::int64_t cycle) const override;
  const std::vector<int>& owners() const override { return writers_; }

  static bool is_empty(const piece& part) noexcept { return part.target < 0; }
  // Of one node.
  std::int64_t most_elements() const noexcept { return most_elements_; }

 private:
  std::unique_ptr<piece_plan> blocks_;
  std::vector<int> writers_;
  piece nothing_;
  std::int64_t most_elements_ = 0;
};

}  // namespace headrace
