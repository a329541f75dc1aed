#include "layouts.hpp"

#include <algorithm>
#include <limits>

namespace headrace {
namespace {

status invalid(std::string what) {
  return status::failure(stat_code::layout_invalid, std::move(what))
      .advise("start counts from 1; the blocks of all MPI ranks together must be the whole array");
}

status negative(const char* argument, std::size_t dimension, std::int64_t found) {
  const std::string at = "(" + std::to_string(dimension + 1) + ")";
  return status::failure(stat_code::layout_invalid, argument + at + " is negative")
      .expected("0 or more", std::to_string(found))
      .advise("an MPI rank without elements has count 0");
}

// The first dimension in which a block reaches beyond the array.
status outside(const box& own, const index_list& global, std::size_t dimension) {
  const std::int64_t first = own.start[dimension] + 1;
  const std::string extent = std::to_string(global[dimension]);
  return status::failure(stat_code::layout_invalid,
                         "the block " + text_of(own) + " lies outside of the array of extents " +
                             text_of_extents(global.data(), own.array_rank) + " in dimension " +
                             std::to_string(dimension + 1))
      .expected("indices from 1 to " + extent, "start " + std::to_string(first) + " and count " +
                                                   std::to_string(own.count[dimension]))
      .advise("start counts from 1; start + count - 1 may be " + extent + " at most");
}

status check_extents(const box& own, const index_list& global) {
  std::int64_t elements = 1;
  for (std::size_t d = 0; d < static_cast<std::size_t>(own.array_rank); ++d) {
    if (global[d] < 0) return negative("global", d, global[d]);
    if (own.count[d] < 0) return negative("count", d, own.count[d]);
    if (global[d] > 0 && elements > std::numeric_limits<std::int64_t>::max() / 16 / global[d])
      return invalid("the whole array is larger than any file");
    elements *= std::max<std::int64_t>(1, global[d]);
  }
  if (is_empty(own)) return {};
  for (std::size_t d = 0; d < static_cast<std::size_t>(own.array_rank); ++d)
    if (own.start[d] < 0 || own.count[d] > global[d] || own.start[d] > global[d] - own.count[d])
      return outside(own, global, d);
  return {};
}

// What is left of whole when taken is cut out, as boxes without overlap.
std::vector<box> without(const box& whole, const box& taken) {
  std::vector<box> rest;
  box left = whole;
  const box common = intersection(whole, taken);
  if (is_empty(common)) return {whole};
  for (std::size_t d = 0; d < static_cast<std::size_t>(whole.array_rank); ++d) {
    if (const std::int64_t below = common.start[d] - left.start[d]; below > 0) {
      rest.push_back(left);
      rest.back().count[d] = below;
    }
    const std::int64_t end = common.start[d] + common.count[d];
    if (const std::int64_t above = left.start[d] + left.count[d] - end; above > 0) {
      rest.push_back(left);
      rest.back().start[d] = end;
      rest.back().count[d] = above;
    }
    left.start[d] = common.start[d];
    left.count[d] = common.count[d];
  }
  return rest;
}

// A part of the array that no block has; the whole search is for the message of a failure only.
box find_gap(const box& global, const std::vector<box>& blocks) {
  std::vector<box> open{global};
  for (const box& block : blocks) {
    std::vector<box> next;
    for (const box& part : open)
      for (const box& left : without(part, block)) next.push_back(left);
    open = std::move(next);
    // One gap is enough to tell; the number of parts must not explode.
    if (open.size() > 4096) open.resize(4096);
  }
  return open.empty() ? global : open.front();
}

// ", next to the block (1:8, 31:39) of MPI rank 3": most often the one that should have more.
// Nothing if nobody has an element next to the first or the last of the gap.
std::string neighbour_of(const box& gap, const std::vector<box>& blocks) {
  for (const bool before : {true, false})
    for (int d = gap.array_rank - 1; d >= 0; --d) {
      const auto dim = static_cast<std::size_t>(d);
      box element = gap;
      element.count.fill(1);
      if (!before)
        for (std::size_t k = 0; k < gap.count.size(); ++k) element.start[k] += gap.count[k] - 1;
      element.start[dim] += before ? -1 : 1;
      for (std::size_t rank = 0; rank < blocks.size(); ++rank)
        if (!is_empty(intersection(blocks[rank], element)))
          return ", next to the block " + text_of(blocks[rank]) + " of MPI rank " +
                 std::to_string(rank);
    }
  return "";
}

}  // namespace

status array_layout::make(const communicator_ptr& comm, const box& own, const index_list& global,
                          bool for_reading, std::shared_ptr<const array_layout>& made) {
  std::shared_ptr<array_layout> layout;
  std::string shape;
  const status ready = agree_on_same(*comm, "global extents", shape, [&] {
    layout.reset(new array_layout());
    layout->comm_ = comm;
    layout->for_reading_ = for_reading;
    layout->blocks_ = std::make_shared<std::vector<box>>(static_cast<std::size_t>(comm->size()));
    layout->global_.array_rank = own.array_rank;
    layout->global_.count = global;
    shape = std::to_string(own.array_rank) + " dimensions, extents ";
    shape += text_of_extents(global.data(), std::min(own.array_rank, max_parallel_rank));
    if (for_reading) shape += ", for reading";
    return status();
  });
  if (!ready.ok()) return ready;
  if (status s = agree_on(*comm, [&] { return check_extents(own, global); }); !s.ok()) return s;
  // There is room for what comes: nothing here may fail on one MPI rank.
  gather_everywhere(*comm, &own, sizeof own, MPI_BYTE, layout->blocks_->data());
  std::int64_t missing = volume(layout->global_);
  for (const box& block : *layout->blocks_) {
    missing -= volume(block);
    layout->largest_block_ = std::max(layout->largest_block_, volume(block));
  }
  layout->is_part_ = missing > 0;
  if (for_reading) {
    made = layout;
    return {};
  }
  // Each MPI rank compares its own block with all others.
  if (status s = agree_on(*comm, [&] { return layout->check_overlap(); }); !s.ok()) return s;
  if (missing > 0)
    return agree_on(*comm, [&] {
      const box gap = find_gap(layout->global_, *layout->blocks_);
      return invalid("no MPI rank has " + text_of(gap) + neighbour_of(gap, *layout->blocks_) +
                     "; " + std::to_string(missing) + " elements are missing in all");
    });
  made = layout;
  return {};
}

status array_layout::check_overlap() const {
  for (int rank = 0; rank < comm_->size() && !is_empty(own()); ++rank) {
    if (rank == comm_->rank()) continue;
    const box common = intersection(own(), block(rank));
    if (!is_empty(common))
      return invalid("the blocks of MPI ranks " + std::to_string(comm_->rank()) + " and " +
                     std::to_string(rank) + " overlap at " + text_of(common));
  }
  return {};
}

array_layout array_layout::reversed() const {
  const auto reverse = [](box& one) {
    std::reverse(one.start.begin(), one.start.begin() + one.array_rank);
    std::reverse(one.count.begin(), one.count.begin() + one.array_rank);
  };
  array_layout other = *this;
  other.blocks_ = std::make_shared<std::vector<box>>(*blocks_);
  reverse(other.global_);
  for (box& block : *other.blocks_) reverse(block);
  return other;
}

array_layout array_layout::on(const communicator_ptr& comm) const {
  array_layout same = *this;
  same.comm_ = comm;
  return same;
}

}  // namespace headrace
