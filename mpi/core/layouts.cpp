#include "layouts.hpp"

#include <algorithm>
#include <limits>

namespace headrace {
namespace {

status invalid(std::string what) {
  return status::failure(stat_code::layout_invalid, std::move(what))
      .advise("start counts from 1; the blocks of all MPI ranks together must be the whole array");
}

std::string indices_of(const index_list& global, int array_rank) {
  std::string text = "(";
  for (int d = 0; d < array_rank; ++d)
    text += (d == 0 ? "" : ", ") + std::to_string(global[static_cast<std::size_t>(d)]);
  return text + ")";
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
                             indices_of(global, own.array_rank) + " in dimension " +
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

}  // namespace

status array_layout::make(const communicator_ptr& comm, const box& own, const index_list& global,
                          std::shared_ptr<const array_layout>& made) {
  std::string shape = std::to_string(own.array_rank) + " dimensions, extents ";
  shape += indices_of(global, std::min(own.array_rank, max_parallel_rank));
  if (status s = same_everywhere(*comm, "global extents", shape); !s.ok()) return s;
  if (status s = agree(*comm, check_extents(own, global)); !s.ok()) return s;

  const std::shared_ptr<array_layout> layout(new array_layout());
  layout->comm_ = comm;
  layout->blocks_ = std::make_shared<std::vector<box>>();
  layout->global_.array_rank = own.array_rank;
  layout->global_.count = global;
  std::array<std::int64_t, 2 * max_parallel_rank> mine{};
  for (std::size_t d = 0; d < max_parallel_rank; ++d) {
    mine[d] = own.start[d];
    mine[max_parallel_rank + d] = own.count[d];
  }
  std::vector<std::int64_t> all(mine.size() * static_cast<std::size_t>(comm->size()));
  MPI_Allgather(mine.data(), static_cast<int>(mine.size()), MPI_INT64_T, all.data(),
                static_cast<int>(mine.size()), MPI_INT64_T, comm->handle());
  std::int64_t elements = 0;
  for (int rank = 0; rank < comm->size(); ++rank) {
    box block;
    block.array_rank = own.array_rank;
    const std::int64_t* const numbers = all.data() + mine.size() * static_cast<std::size_t>(rank);
    for (std::size_t d = 0; d < max_parallel_rank; ++d) {
      block.start[d] = numbers[d];
      block.count[d] = numbers[max_parallel_rank + d];
    }
    elements += volume(block);
    layout->blocks_->push_back(block);
  }
  // Each MPI rank compares its own block with all others.
  status overlap;
  for (int rank = 0; rank < comm->size() && !is_empty(own); ++rank) {
    if (rank == comm->rank()) continue;
    const box common = intersection(own, layout->block(rank));
    if (is_empty(common)) continue;
    overlap = invalid("the blocks of MPI ranks " + std::to_string(comm->rank()) + " and " +
                      std::to_string(rank) + " overlap at " + text_of(common));
    break;
  }
  if (status s = agree(*comm, overlap); !s.ok()) return s;
  if (elements < volume(layout->global_)) {
    const std::int64_t missing = volume(layout->global_) - elements;
    return agree(*comm,
                 invalid("no MPI rank has " + text_of(find_gap(layout->global_, *layout->blocks_)) +
                         "; " + std::to_string(missing) + " elements are missing in all"));
  }
  made = layout;
  return {};
}

array_layout array_layout::on(const communicator_ptr& comm) const {
  array_layout same = *this;
  same.comm_ = comm;
  return same;
}

}  // namespace headrace
