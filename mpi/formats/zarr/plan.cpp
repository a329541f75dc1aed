// Which MPI rank writes which chunk, for each pattern.
#include <algorithm>
#include <cstdlib>

#include "../../move/plans.hpp"
#include "write.hpp"

namespace headrace {
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
void give_to_nodes(const communicator& comm, bool leader, zarr_write_plan& plan) {
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
                zarr_write_plan& plan) {
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
void plan_shared(const communicator& comm, const parallel_settings& settings,
                 zarr_write_plan& plan) {
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

zarr_write_plan plan_zarr_chunks(const array_layout& layout, const parallel_settings& settings,
                                 const chunk_grid* fixed) {
  const communicator& comm = layout.comm();
  zarr_write_plan plan;
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

}  // namespace headrace
