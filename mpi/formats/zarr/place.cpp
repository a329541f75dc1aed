#include "place.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "../../move/plans.hpp"

namespace headrace::zarr {

namespace {

std::int64_t divided_up(std::int64_t number, std::int64_t by) noexcept {
  return (number + by - 1) / by;
}

// In the order in which their blocks begin in the file.
std::vector<int> ranks_with_blocks(const array_layout& layout) {
  std::vector<int> ranks = ranks_in_file_order(layout);
  while (!ranks.empty() && is_empty(layout.block(ranks.back()))) ranks.pop_back();
  return ranks;
}

// Their product, but no more than any number of MPI ranks squared.
std::int64_t product_of_parts(const index_list& parts, std::size_t array_rank) noexcept {
  std::int64_t all = 1;
  for (std::size_t d = 0; d < array_rank; ++d)
    all = std::min(all * parts[d], std::int64_t{1} << 40);
  return all;
}

// How often such extents fit along each dimension.
box parts_of(int array_rank, const index_list& whole, const index_list& part) noexcept {
  box parts;
  parts.array_rank = array_rank;
  for (std::size_t d = 0; d < static_cast<std::size_t>(array_rank); ++d)
    parts.count[d] = divided_up(whole[d], part[d]);
  return parts;
}

}  // namespace

index_list place_in(const box& places, std::int64_t number) noexcept {
  index_list place{};
  for (std::size_t d = 0; d < static_cast<std::size_t>(places.array_rank); ++d) {
    place[d] = places.start[d] + number % places.count[d];
    number /= places.count[d];
  }
  return place;
}

std::int64_t number_in(const box& places, const index_list& place) noexcept {
  std::int64_t number = 0;
  for (auto d = static_cast<std::size_t>(places.array_rank); d-- > 0;)
    number = number * places.count[d] + place[d] - places.start[d];
  return number;
}

box chunk_grid::all_chunks() const noexcept {
  return parts_of(array_rank, global, chunk);
}

box chunk_grid::all_shards() const noexcept {
  return parts_of(array_rank, all_chunks().count, shard);
}

index_list chunk_grid::place_of(std::int64_t number) const noexcept {
  return place_in(all_chunks(), number);
}

box chunk_grid::box_at(const index_list& place) const noexcept {
  box whole;
  whole.array_rank = array_rank;
  whole.count = chunk;
  for (std::size_t d = 0; d < static_cast<std::size_t>(array_rank); ++d)
    whole.start[d] = place[d] * chunk[d];
  return whole;
}

index_list chunk_grid::shard_of(const index_list& place) const noexcept {
  index_list found{};
  for (std::size_t d = 0; d < static_cast<std::size_t>(array_rank); ++d)
    found[d] = place[d] / shard[d];
  return found;
}

std::int64_t chunk_grid::slot_of(const index_list& place) const noexcept {
  return number_in(chunks_of(shard_of(place)), place);
}

box chunk_grid::chunks_of(const index_list& shard_place) const noexcept {
  box chunks;
  chunks.array_rank = array_rank;
  chunks.count = shard;
  for (std::size_t d = 0; d < static_cast<std::size_t>(array_rank); ++d)
    chunks.start[d] = shard_place[d] * shard[d];
  return intersection(chunks, all_chunks());
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

namespace {

// The blocks are the chunks of a grid with such extents, edge chunks cut off.
bool blocks_are_chunks(const array_layout& layout, const chunk_grid& grid) {
  for (const int rank : ranks_with_blocks(layout)) {
    const box& block = layout.block(rank);
    index_list place{};
    for (std::size_t d = 0; d < static_cast<std::size_t>(grid.array_rank); ++d)
      place[d] = block.start[d] / grid.chunk[d];
    if (!(intersection(grid.box_at(place), layout.global()) == block)) return false;
  }
  return true;
}

// The largest extents of blocks along each dimension, 1 at least.
index_list largest_block(const array_layout& layout) {
  index_list largest{};
  largest.fill(1);
  for (const int rank : ranks_with_blocks(layout))
    for (std::size_t d = 0; d < static_cast<std::size_t>(layout.array_rank()); ++d)
      largest[d] = std::max(largest[d], layout.block(rank).count[d]);
  return largest;
}

// Extents that make about as many chunks as there are blocks, cut where these are cut, in fewer
// places along the first dimensions.
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
  // Too many in all if blocks begin in different places: undo cuts, the first dimension first.
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

// For each chunk the MPI rank whose block it is, or one whose block is near.
std::vector<int> owners_near_blocks(const array_layout& layout, const chunk_grid& grid) {
  std::vector<int> owners(static_cast<std::size_t>(grid.chunks()));
  const std::vector<int> ranks = ranks_with_blocks(layout);
  // Chunks come in the same order, so that for equal blocks each goes to its own MPI rank.
  for (std::size_t i = 0; i < owners.size() && !ranks.empty(); ++i)
    owners[i] = ranks[i * ranks.size() / owners.size()];
  return owners;
}

// The smallest box that has the place too.
void extend(box& places, const index_list& place) noexcept {
  for (std::size_t d = 0; d < static_cast<std::size_t>(places.array_rank); ++d) {
    const std::int64_t begin = std::min(places.start[d], place[d]);
    places.count[d] = std::max(places.start[d] + places.count[d], place[d] + 1) - begin;
    places.start[d] = begin;
  }
}

// Chunks of a shard along each dimension when the chunks of every node form one shard; all 0 when
// they do not.
index_list shard_of_nodes(chunk_grid grid, const communicator& comm,
                          const std::vector<int>& owners) {
  struct chunks_of_node {
    box around;
    std::int64_t chunks = 0;
  };
  std::vector<chunks_of_node> nodes(static_cast<std::size_t>(comm.nodes()));
  for (std::size_t i = 0; i < owners.size(); ++i) {
    chunks_of_node& node = nodes[static_cast<std::size_t>(comm.node_of(owners[i]))];
    const index_list place = grid.place_of(static_cast<std::int64_t>(i));
    if (node.chunks++ == 0) node.around = {grid.array_rank, place, {}};
    extend(node.around, place);
  }
  grid.shard.fill(1);
  for (const chunks_of_node& node : nodes)
    for (std::size_t d = 0; d < grid.shard.size(); ++d)
      grid.shard[d] = std::max(grid.shard[d], node.around.count[d]);
  for (const chunks_of_node& node : nodes) {
    if (node.chunks == 0) continue;
    const box of_shard = grid.chunks_of(grid.shard_of(node.around.start));
    if (!(of_shard == node.around) || volume(of_shard) != node.chunks) return {};
  }
  return grid.shard;
}

// Chunks of a shard along each dimension for about so many shards.
index_list shard_near_nodes(const chunk_grid& grid, int nodes) {
  const box chunks = grid.all_chunks();
  index_list shard{};
  shard.fill(1);
  std::int64_t left = nodes;
  for (auto d = static_cast<std::size_t>(grid.array_rank); d-- > 0;) {
    const std::int64_t along = std::max<std::int64_t>(1, chunks.count[d]);
    const std::int64_t parts = std::min(left, along);
    shard[d] = divided_up(along, parts);
    left /= parts;
  }
  return shard;
}

// Gives each shard to a node and its chunks to MPI ranks there: those that are near, or the first.
void give_to_nodes(const communicator& comm, bool leader, write_plan& plan) {
  const chunk_grid& grid = plan.grid;
  const std::vector<int> near = plan.owners;
  const box shards = grid.all_shards();
  std::vector<std::vector<int>> ranks(static_cast<std::size_t>(comm.nodes()));
  for (int rank = 0; rank < comm.size(); ++rank)
    ranks[static_cast<std::size_t>(comm.node_of(rank))].push_back(rank);
  for (std::size_t i = 0; i < near.size(); ++i) {
    const index_list place = grid.place_of(static_cast<std::int64_t>(i));
    const index_list shard = grid.shard_of(place);
    const std::int64_t first = number_in(grid.all_chunks(), grid.chunks_of(shard).start);
    // If the nodes' chunks form no shards, all nodes get about as many.
    const int node =
        plan.redistributed
            ? static_cast<int>(number_in(shards, shard) * comm.nodes() / volume(shards))
            : comm.node_of(near[static_cast<std::size_t>(first)]);
    const std::vector<int>& here = ranks[static_cast<std::size_t>(node)];
    if (leader)
      plan.owners[i] = comm.leader_of(node);
    else if (comm.node_of(near[i]) != node)
      plan.owners[i] = here[static_cast<std::size_t>(grid.slot_of(place)) % here.size()];
  }
}

void plan_nodes(const communicator& comm, const hint_list& hints, bool fixed, write_plan& plan) {
  const index_list of_nodes = shard_of_nodes(plan.grid, comm, plan.owners);
  const bool aligned = plan.grid.array_rank == 0 || of_nodes[0] > 0;
  if (!fixed) plan.grid.shard = aligned ? of_nodes : shard_near_nodes(plan.grid, comm.nodes());
  plan.redistributed = plan.redistributed || !aligned || of_nodes != plan.grid.shard;
  const auto found = hints.find("node_writers");
  const bool asked = found != hints.end() && found->second == "leader";
  // How long compressed chunks are is known to their writer only.
  const bool leader = plan.compresses || asked;
  plan.in_force["node_writers"] = leader ? "leader" : "all";
  give_to_nodes(comm, leader, plan);
}

// One shard holds the whole array, and so many write it as cb_nodes says, otherwise all.
void plan_shared(const array_layout& layout, const parallel_settings& settings, write_plan& plan) {
  const bool collective = settings.pattern == write_pattern::shared_collective;
  const std::int64_t all = layout.comm().size();
  std::int64_t wanted = std::min(all, hinted_number(settings.hints, "cb_nodes", all));
  if (plan.compresses) wanted = 1;
  if (collective) plan.in_force["cb_nodes"] = std::to_string(wanted);
  if ((!collective && !plan.compresses) || wanted == all) return;  // the owners that are near
  const std::vector<int> writers = choose_writers(layout, static_cast<int>(wanted));
  for (std::size_t i = 0; i < plan.owners.size(); ++i)
    plan.owners[i] = writers[i * writers.size() / plan.owners.size()];
}

bool owners_hold_chunks(const write_plan& plan, const array_layout& layout) {
  for (std::size_t i = 0; i < plan.owners.size(); ++i) {
    const box whole = plan.grid.box_at(plan.grid.place_of(static_cast<std::int64_t>(i)));
    const box chunk = intersection(whole, layout.global());
    if (!(intersection(chunk, layout.block(plan.owners[i])) == chunk)) return false;
  }
  return true;
}

// Chunks in the order in which their writers take them: shard after shard.
std::vector<std::int64_t> order_of_writing(const chunk_grid& grid) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(grid.chunks()));
  std::iota(order.begin(), order.end(), 0);
  if (!grid.sharded) return order;
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t left, std::int64_t right) {
    return grid.shard_of(grid.place_of(left)) < grid.shard_of(grid.place_of(right));
  });
  return order;
}

// Who writes which piece of them when.
void plan_pieces(const array_layout& layout, const parallel_settings& settings,
                 std::int64_t file_bytes, write_plan& plan) {
  std::vector<box> boxes;
  std::vector<int> owners;
  plan.order = order_of_writing(plan.grid);
  for (const std::int64_t chunk : plan.order) {
    boxes.push_back(plan.grid.box_at(plan.grid.place_of(chunk)));
    owners.push_back(plan.owners[static_cast<std::size_t>(chunk)]);
  }
  const std::int64_t piece_bytes = hinted_piece_bytes(settings.hints);
  plan.pieces = plan_boxes(layout, std::move(boxes), std::move(owners), file_bytes, piece_bytes,
                           joined_bytes);
  plan.pieces->all_are_own = owners_hold_chunks(plan, layout);
  if (!*plan.pieces->all_are_own) plan.in_force["cb_buffer_size"] = std::to_string(piece_bytes);
}

}  // namespace

write_plan plan_chunks(const array_layout& layout, const parallel_settings& settings,
                       const array_document& array, const chunk_grid* fixed) {
  const write_pattern pattern = settings.pattern;
  const bool is_one_shard =
      pattern == write_pattern::shared_independent || pattern == write_pattern::shared_collective;
  write_plan plan;
  chunk_grid& grid = plan.grid;
  if (fixed != nullptr) {
    grid = *fixed;  // also if the pattern was another one
  } else {
    grid.array_rank = layout.array_rank();
    grid.global = layout.global().count;
    grid.chunk = largest_block(layout);
    if (!blocks_are_chunks(layout, grid)) grid.chunk = chunk_near_blocks(layout);
    grid.shard.fill(1);
    grid.sharded = is_one_shard || pattern == write_pattern::file_per_node;
    for (std::size_t d = 0; is_one_shard && d < static_cast<std::size_t>(grid.array_rank); ++d)
      grid.shard[d] = std::max<std::int64_t>(1, grid.all_chunks().count[d]);
  }
  for (const byte_codec codec : array.codecs)
    plan.compresses = plan.compresses || codec != byte_codec::crc32c;
  plan.redistributed = !blocks_are_chunks(layout, grid);
  plan.owners = owners_near_blocks(layout, grid);
  if (pattern == write_pattern::serial)
    std::fill(plan.owners.begin(), plan.owners.end(), 0);
  else if (grid.sharded && is_one_shard)
    plan_shared(layout, settings, plan);
  else if (grid.sharded)
    plan_nodes(layout.comm(), settings.hints, fixed != nullptr, plan);
  plan_pieces(layout, settings, static_cast<std::int64_t>(array.type.bytes), plan);
  plan.writers = static_cast<int>(std::set(plan.owners.begin(), plan.owners.end()).size());
  return plan;
}

}  // namespace headrace::zarr
