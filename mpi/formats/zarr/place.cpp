#include "place.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <set>

#include "../../move/plans.hpp"

namespace headrace::zarr {

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
  return box_at(place_of(number));
}

box chunk_grid::box_at(const index_list& place) const noexcept {
  box whole;
  whole.array_rank = array_rank;
  whole.count = chunk;
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

box chunk_grid::chunks_of(const index_list& shard_place) const noexcept {
  box chunks;
  chunks.array_rank = array_rank;
  for (std::size_t d = 0; d < static_cast<std::size_t>(array_rank); ++d) {
    chunks.start[d] = shard_place[d] * shard[d];
    chunks.count[d] = std::min(shard[d], chunks_along(static_cast<int>(d)) - chunks.start[d]);
  }
  return chunks;
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

chunk_grid grid_of(const array_document& stored) {
  chunk_grid grid;
  grid.array_rank = static_cast<int>(stored.shape.size()) - (stored.steps.empty() ? 0 : 1);
  grid.shard.fill(1);
  grid.sharded = !stored.shard.empty();
  for (std::size_t d = 0; d < static_cast<std::size_t>(grid.array_rank); ++d) {
    grid.global[d] = stored.shape[d];
    grid.chunk[d] = stored.chunk[d];
    if (grid.sharded) grid.shard[d] = stored.shard[d] / stored.chunk[d];
  }
  return grid;
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

namespace {

// Writers of one file: so many as cb_nodes says, spread over the nodes; otherwise all.
std::vector<int> shared_writers(const communicator& comm, const parallel_settings& settings) {
  const auto found = settings.hints.find("cb_nodes");
  const long long asked = found == settings.hints.end() ? 0 : std::atoll(found->second.c_str());
  const auto wanted = static_cast<std::size_t>(
      std::clamp<long long>(asked > 0 ? asked : comm.size(), 1, comm.size()));
  std::vector<int> writers;  // the first of each node, then the second of each ...
  for (int place = 0; writers.size() < wanted; ++place)
    for (int rank = 0; rank < comm.size() && writers.size() < wanted; ++rank)
      if (comm.place_in_node(rank) == place) writers.push_back(rank);
  std::sort(writers.begin(), writers.end());
  return writers;
}

std::int64_t piece_bytes(const parallel_settings& settings) {
  const auto found = settings.hints.find("cb_buffer_size");
  const long long asked = found == settings.hints.end() ? 0 : std::atoll(found->second.c_str());
  return asked <= 0 ? default_piece_bytes
                    : std::clamp<std::int64_t>(asked, 4096, std::int64_t{8} << 20);
}

std::vector<std::vector<int>> ranks_of_nodes(const communicator& comm) {
  std::vector<std::vector<int>> ranks(static_cast<std::size_t>(comm.nodes()));
  for (int rank = 0; rank < comm.size(); ++rank)
    ranks[static_cast<std::size_t>(comm.node_of(rank))].push_back(rank);
  return ranks;
}

// Gives each shard to a node and its chunks to MPI ranks there: those that are near, or the first.
void give_to_nodes(const communicator& comm, bool leader, write_plan& plan) {
  const chunk_grid& grid = plan.grid;
  const auto array_rank = static_cast<std::size_t>(grid.array_rank);
  const std::vector<int> near = plan.owners;
  const std::vector<std::vector<int>> ranks = ranks_of_nodes(comm);
  std::int64_t shards = 1;
  for (int d = 0; d < grid.array_rank; ++d) shards *= grid.shards_along(d);
  for (std::size_t i = 0; i < near.size(); ++i) {
    const index_list place = grid.place_of(static_cast<std::int64_t>(i));
    const index_list shard = grid.shard_of(place);
    std::int64_t number = 0;
    index_list first{};
    for (std::size_t d = array_rank; d-- > 0;) {
      number = number * grid.shards_along(static_cast<int>(d)) + shard[d];
      first[d] = shard[d] * grid.shard[d];
    }
    // Where the nodes' chunks form no shards, all nodes get about as many.
    const int node = plan.redistributed
                         ? static_cast<int>(number * comm.nodes() / shards)
                         : comm.node_of(near[static_cast<std::size_t>(grid.number_of(first))]);
    const std::vector<int>& here = ranks[static_cast<std::size_t>(node)];
    if (leader)
      plan.owners[i] = comm.leader_of(node);
    else if (comm.node_of(near[i]) != node)
      plan.owners[i] = here[static_cast<std::size_t>(grid.slot_of(place)) % here.size()];
  }
}

void plan_nodes(const communicator& comm, const parallel_settings& settings, bool fixed,
                write_plan& plan) {
  const index_list of_nodes = shard_of_nodes(plan.grid, comm, plan.owners);
  const bool aligned = plan.grid.array_rank == 0 || of_nodes[0] > 0;
  if (!fixed) plan.grid.shard = aligned ? of_nodes : shard_near_nodes(plan.grid, comm.nodes());
  plan.redistributed = plan.redistributed || !aligned || of_nodes != plan.grid.shard;
  const auto found = settings.hints.find("node_writers");
  const bool asked = found != settings.hints.end() && found->second == "leader";
  // How long compressed chunks are is known to their writer only.
  const bool leader = settings.compress || asked;
  plan.in_force["node_writers"] = leader ? "leader" : "all";
  give_to_nodes(comm, leader, plan);
}

// One shard holds the whole array.
void plan_shared(const communicator& comm, const parallel_settings& settings, write_plan& plan) {
  const bool collective = settings.pattern == write_pattern::shared_collective;
  std::vector<int> writers = shared_writers(comm, settings);
  if (settings.compress) writers.resize(1);
  if (collective) plan.in_force["cb_nodes"] = std::to_string(writers.size());
  const bool all_write = !collective || writers.size() == static_cast<std::size_t>(comm.size());
  if (all_write && !settings.compress) return;  // the owners that are near
  for (std::size_t i = 0; i < plan.owners.size(); ++i)
    plan.owners[i] = writers[i * writers.size() / plan.owners.size()];
}

bool blocks_are_of(const std::vector<int>& owners, const array_layout& layout,
                   const chunk_grid& grid) {
  for (std::size_t i = 0; i < owners.size(); ++i) {
    box chunk = grid.box_of(static_cast<std::int64_t>(i));
    if (!(intersection(chunk, layout.global()) == layout.block(owners[i]))) return false;
  }
  return true;
}

// Each owner holds what there is of its chunks: nothing is exchanged before they are written.
bool owners_hold_chunks(const std::vector<int>& owners, const array_layout& layout,
                        const chunk_grid& grid) {
  for (std::size_t i = 0; i < owners.size(); ++i) {
    const box chunk = intersection(grid.box_of(static_cast<std::int64_t>(i)), layout.global());
    if (!(intersection(chunk, layout.block(owners[i])) == chunk)) return false;
  }
  return true;
}

int count_distinct(std::vector<int> numbers) {
  std::sort(numbers.begin(), numbers.end());
  return static_cast<int>(std::unique(numbers.begin(), numbers.end()) - numbers.begin());
}

bool is_one_shard(write_pattern pattern) noexcept {
  return pattern == write_pattern::shared_independent ||
         pattern == write_pattern::shared_collective;
}

}  // namespace

write_plan plan_chunks(const array_layout& layout, const parallel_settings& settings,
                       const chunk_grid* fixed) {
  const communicator& comm = layout.comm();
  write_plan plan;
  chunk_grid& grid = plan.grid;
  if (fixed != nullptr) {
    grid = *fixed;
  } else {
    grid.array_rank = layout.array_rank();
    grid.global = layout.global().count;
    grid.chunk = largest_block(layout);
    if (!blocks_are_chunks(layout, grid.chunk)) grid.chunk = chunk_near_blocks(layout);
    grid.shard.fill(1);
  }
  const bool regular = blocks_are_chunks(layout, grid.chunk);
  plan.redistributed = !regular;
  plan.owners = owners_near_blocks(layout, grid);
  if (fixed == nullptr && is_one_shard(settings.pattern))
    for (int d = 0; d < grid.array_rank; ++d)
      grid.shard[static_cast<std::size_t>(d)] = std::max<std::int64_t>(1, grid.chunks_along(d));
  grid.sharded = settings.pattern == write_pattern::file_per_node || is_one_shard(settings.pattern);
  if (settings.pattern == write_pattern::serial)
    std::fill(plan.owners.begin(), plan.owners.end(), 0);
  if (settings.pattern == write_pattern::file_per_node)
    plan_nodes(comm, settings, fixed != nullptr, plan);
  if (is_one_shard(settings.pattern)) plan_shared(comm, settings, plan);
  // The chunks of a compressed shard follow one another, so that one MPI rank writes them all.
  plan.direct =
      regular && !(grid.sharded && settings.compress) && blocks_are_of(plan.owners, layout, grid);
  plan.piece_bytes = piece_bytes(settings);
  if (!plan.direct && !owners_hold_chunks(plan.owners, layout, grid))
    plan.in_force["cb_buffer_size"] = std::to_string(plan.piece_bytes);
  plan.writers = count_distinct(plan.owners);
  return plan;
}

}  // namespace headrace::zarr
