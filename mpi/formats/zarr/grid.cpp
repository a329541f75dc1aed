#include "grid.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace headrace {
namespace {

std::int64_t divided_up(std::int64_t number, std::int64_t by) noexcept {
  return (number + by - 1) / by;
}

// The last dimension decides first: the order in which blocks and chunks begin in Fortran's order.
bool begins_before(const index_list& left, const index_list& right, int array_rank) noexcept {
  for (int d = array_rank - 1; d >= 0; --d) {
    const auto dim = static_cast<std::size_t>(d);
    if (left[dim] != right[dim]) return left[dim] < right[dim];
  }
  return false;
}

std::vector<int> ranks_with_blocks(const array_layout& layout) {
  std::vector<int> ranks;
  for (int rank = 0; rank < layout.comm().size(); ++rank)
    if (!is_empty(layout.block(rank))) ranks.push_back(rank);
  return ranks;
}

std::int64_t product(const index_list& counts, int array_rank) noexcept {
  std::int64_t all = 1;
  for (int d = 0; d < array_rank; ++d) all *= counts[static_cast<std::size_t>(d)];
  return all;
}

// The same, but no more than any number of MPI ranks squared.
std::int64_t product_of_parts(const index_list& parts, std::size_t array_rank) noexcept {
  std::int64_t all = 1;
  for (std::size_t d = 0; d < array_rank; ++d)
    all = std::min(all * parts[d], std::int64_t{1} << 40);
  return all;
}

}  // namespace

std::int64_t chunk_grid::chunks_along(int dimension) const noexcept {
  const auto d = static_cast<std::size_t>(dimension);
  return divided_up(global[d], chunk[d]);
}

std::int64_t chunk_grid::shards_along(int dimension) const noexcept {
  return divided_up(chunks_along(dimension), shard[static_cast<std::size_t>(dimension)]);
}

std::int64_t chunk_grid::chunks() const noexcept {
  std::int64_t all = 1;
  for (int d = 0; d < array_rank; ++d) all *= chunks_along(d);
  return all;
}

index_list chunk_grid::place_of(std::int64_t number) const noexcept {
  index_list place{};
  for (int d = 0; d < array_rank; ++d) {
    place[static_cast<std::size_t>(d)] = number % chunks_along(d);
    number /= chunks_along(d);
  }
  return place;
}

std::int64_t chunk_grid::number_of(const index_list& place) const noexcept {
  std::int64_t number = 0;
  for (int d = array_rank - 1; d >= 0; --d)
    number = number * chunks_along(d) + place[static_cast<std::size_t>(d)];
  return number;
}

box chunk_grid::box_of(std::int64_t number) const noexcept {
  box whole;
  whole.array_rank = array_rank;
  whole.count = chunk;
  const index_list place = place_of(number);
  for (std::size_t d = 0; d < static_cast<std::size_t>(array_rank); ++d)
    whole.start[d] = place[d] * chunk[d];
  return whole;
}

std::int64_t chunk_grid::chunk_volume() const noexcept {
  return product(chunk, array_rank);
}

index_list chunk_grid::shard_of(const index_list& place) const noexcept {
  index_list found{};
  for (std::size_t d = 0; d < static_cast<std::size_t>(array_rank); ++d)
    found[d] = place[d] / shard[d];
  return found;
}

std::int64_t chunk_grid::slot_of(const index_list& place) const noexcept {
  std::int64_t slot = 0;
  for (int d = array_rank - 1; d >= 0; --d) {
    const auto dim = static_cast<std::size_t>(d);
    const std::int64_t begin = place[dim] / shard[dim] * shard[dim];
    slot = slot * std::min(shard[dim], chunks_along(d) - begin) + (place[dim] - begin);
  }
  return slot;
}

std::int64_t chunk_grid::chunks_in(const index_list& shard_place) const noexcept {
  std::int64_t count = 1;
  for (int d = 0; d < array_rank; ++d) {
    const auto dim = static_cast<std::size_t>(d);
    count *= std::min(shard[dim], chunks_along(d) - shard_place[dim] * shard[dim]);
  }
  return count;
}

std::int64_t chunk_grid::index_places() const noexcept {
  return product(shard, array_rank);
}

std::int64_t chunk_grid::index_place_of(const index_list& place) const noexcept {
  std::int64_t found = 0;
  for (std::size_t d = 0; d < static_cast<std::size_t>(array_rank); ++d)
    found = found * shard[d] + place[d] % shard[d];
  return found;
}

bool blocks_are_chunks(const array_layout& layout, const index_list& chunk) {
  for (int rank = 0; rank < layout.comm().size(); ++rank) {
    const box& block = layout.block(rank);
    if (is_empty(block)) continue;
    for (std::size_t d = 0; d < static_cast<std::size_t>(layout.array_rank()); ++d) {
      const std::int64_t left = layout.global().count[d] - block.start[d];
      if (block.start[d] % chunk[d] != 0 || block.count[d] != std::min(chunk[d], left))
        return false;
    }
  }
  return true;
}

index_list largest_block(const array_layout& layout) {
  index_list largest{};
  largest.fill(1);
  for (int rank = 0; rank < layout.comm().size(); ++rank) {
    const box& block = layout.block(rank);
    if (is_empty(block)) continue;
    for (std::size_t d = 0; d < static_cast<std::size_t>(layout.array_rank()); ++d)
      largest[d] = std::max(largest[d], block.count[d]);
  }
  return largest;
}

index_list chunk_near_blocks(const array_layout& layout) {
  const auto array_rank = static_cast<std::size_t>(layout.array_rank());
  const std::vector<int> ranks = ranks_with_blocks(layout);
  const auto wanted = static_cast<std::int64_t>(ranks.size());
  index_list parts{};
  parts.fill(1);
  for (std::size_t d = 0; d < array_rank; ++d) {
    std::set<std::int64_t> begins;
    for (const int rank : ranks) begins.insert(layout.block(rank).start[d]);
    parts[d] = std::max<std::int64_t>(1, static_cast<std::int64_t>(begins.size()));
    parts[d] = std::min(parts[d], wanted);
  }
  // Too many in all where blocks begin in different places: undo cuts, the first dimension first.
  for (std::size_t d = 0; d < array_rank && product_of_parts(parts, array_rank) > wanted; ++d) {
    const std::int64_t others = product_of_parts(parts, array_rank) / parts[d];
    parts[d] = std::max<std::int64_t>(1, wanted / others);
  }
  for (std::size_t d = array_rank; d-- > 0;) {
    const std::int64_t others = product_of_parts(parts, array_rank) / parts[d];
    const std::int64_t extent = std::max<std::int64_t>(1, layout.global().count[d]);
    if (wanted / others >= 2 * parts[d]) parts[d] = std::min(wanted / others, extent);
  }
  index_list chunk{};
  chunk.fill(1);
  for (std::size_t d = 0; d < array_rank; ++d)
    chunk[d] = std::max<std::int64_t>(1, divided_up(layout.global().count[d], parts[d]));
  return chunk;
}

std::vector<int> owners_near_blocks(const array_layout& layout, const chunk_grid& grid) {
  std::vector<int> owners(static_cast<std::size_t>(grid.chunks()));
  std::vector<int> ranks = ranks_with_blocks(layout);
  if (owners.empty() || ranks.empty()) return owners;
  std::stable_sort(ranks.begin(), ranks.end(), [&](int left, int right) {
    return begins_before(layout.block(left).start, layout.block(right).start, grid.array_rank);
  });
  // Chunks come in the same order, so that for equal blocks each goes to its own MPI rank.
  for (std::size_t i = 0; i < owners.size(); ++i)
    owners[i] = ranks[i * ranks.size() / owners.size()];
  return owners;
}

index_list shard_of_nodes(const chunk_grid& grid, const communicator& comm,
                          const std::vector<int>& owners) {
  const auto array_rank = static_cast<std::size_t>(grid.array_rank);
  struct extent_of_node {
    index_list first{};
    index_list end{};
    std::int64_t chunks = 0;
  };
  std::vector<extent_of_node> nodes(static_cast<std::size_t>(comm.nodes()));
  for (std::size_t i = 0; i < owners.size(); ++i) {
    extent_of_node& node = nodes[static_cast<std::size_t>(comm.node_of(owners[i]))];
    const index_list place = grid.place_of(static_cast<std::int64_t>(i));
    for (std::size_t d = 0; d < array_rank; ++d) {
      node.first[d] = node.chunks == 0 ? place[d] : std::min(node.first[d], place[d]);
      node.end[d] = node.chunks == 0 ? place[d] + 1 : std::max(node.end[d], place[d] + 1);
    }
    ++node.chunks;
  }
  index_list shard{};
  shard.fill(1);
  for (const extent_of_node& node : nodes)
    for (std::size_t d = 0; d < array_rank && node.chunks > 0; ++d)
      shard[d] = std::max(shard[d], node.end[d] - node.first[d]);
  for (const extent_of_node& node : nodes) {
    std::int64_t volume = 1;
    for (std::size_t d = 0; d < array_rank && node.chunks > 0; ++d) {
      const std::int64_t left = grid.chunks_along(static_cast<int>(d)) - node.first[d];
      const std::int64_t extent = node.end[d] - node.first[d];
      if (node.first[d] % shard[d] != 0 || extent != std::min(shard[d], left)) return {};
      volume *= extent;
    }
    if (node.chunks > 0 && volume != node.chunks) return {};
  }
  return shard;
}

index_list shard_near_nodes(const chunk_grid& grid, int nodes) {
  index_list shard{};
  shard.fill(1);
  std::int64_t left = nodes;
  for (int d = grid.array_rank - 1; d >= 0; --d) {
    const std::int64_t along = std::max<std::int64_t>(1, grid.chunks_along(d));
    const std::int64_t parts = std::min(left, along);
    shard[static_cast<std::size_t>(d)] = divided_up(along, parts);
    left /= parts;
  }
  return shard;
}

}  // namespace headrace
