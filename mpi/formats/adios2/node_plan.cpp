#include "node_plan.hpp"

#include <algorithm>

namespace headrace {

adios2_node_plan::adios2_node_plan(const array_layout& layout, std::int64_t file_bytes,
                                   std::int64_t piece_bytes) {
  const communicator& comm = layout.comm();
  std::vector<box> blocks;
  std::vector<int> writer_of;
  std::vector<std::int64_t> elements(static_cast<std::size_t>(comm.nodes()), 0);
  for (int rank = 0; rank < comm.size(); ++rank) {
    const int node = comm.node_of(rank);
    blocks.push_back(layout.block(rank));
    writer_of.push_back(comm.leader_of(node));
    elements[static_cast<std::size_t>(node)] += volume(blocks.back());
  }
  most_elements_ = *std::max_element(elements.begin(), elements.end());
  blocks_ = plan_boxes(layout, std::move(blocks), std::move(writer_of), file_bytes, piece_bytes);
  for (int node = 0; node < comm.nodes(); ++node) writers_.push_back(comm.leader_of(node));
  // One element behind the array: an owner is asked only about pieces that have elements.
  nothing_.of = layout.global();
  nothing_.of.start = nothing_.of.count;
  std::fill_n(nothing_.of.count.begin(), nothing_.of.array_rank, 1);
  nothing_.last = 1;
  nothing_.target = -1;
}

piece adios2_node_plan::at(int owner, std::int64_t cycle) const {
  const bool writes = std::binary_search(writers_.begin(), writers_.end(), owner);
  if (!writes || cycle >= cycles()) return {};
  const piece part = blocks_->at(owner, cycle);
  return part.first < part.last ? part : nothing_;
}

}  // namespace headrace
