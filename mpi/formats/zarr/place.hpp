// How an array is cut into chunks and shards, and which MPI rank writes each.
#pragma once

#include <vector>

#include "../../move/layouts.hpp"
#include "../../move/settings.hpp"
#include "metadata.hpp"

namespace headrace::zarr {

// Chunks are counted from 0, the first dimension fastest. Those at the edge reach beyond the array.
struct chunk_grid {
  int array_rank = 0;
  index_list global{};
  index_list chunk{};  // extents of a chunk
  index_list shard{};  // chunks of a shard along each dimension; all 1 without shards
  bool sharded = false;

  std::int64_t chunks_along(int dimension) const noexcept;
  std::int64_t shards_along(int dimension) const noexcept;
  std::int64_t chunks() const noexcept;  // 0 when the array is empty
  index_list place_of(std::int64_t number) const noexcept;
  std::int64_t number_of(const index_list& place) const noexcept;
  box box_of(std::int64_t number) const noexcept;  // whole, also beyond the array
  box box_at(const index_list& place) const noexcept;
  // Elements of a whole chunk.
  std::int64_t chunk_volume() const noexcept;

  // The shard of a chunk, and the chunk's place within it among those that exist, the first
  // dimension fastest; 0 without shards.
  index_list shard_of(const index_list& place) const noexcept;
  std::int64_t slot_of(const index_list& place) const noexcept;
  // The places of its chunks that exist.
  box chunks_of(const index_list& shard_place) const noexcept;
  // Places in the index of a shard.
  std::int64_t index_places() const noexcept;
  // The place of a chunk in the index of its shard, the last dimension fastest.
  std::int64_t index_place_of(const index_list& place) const noexcept;
};

// Of an array that is stored, without the dimension of the steps.
chunk_grid grid_of(const array_document& stored);

// Calls visit(place) for each place of a box, the first dimension fastest, until it fails.
template <class Visit>
status for_each_place(const box& places, Visit&& visit) {
  index_list place = places.start;
  for (std::int64_t left = volume(places); left > 0; --left) {
    if (status s = visit(static_cast<const index_list&>(place)); !s.ok()) return s;
    for (std::size_t d = 0; d < static_cast<std::size_t>(places.array_rank); ++d) {
      if (++place[d] < places.start[d] + places.count[d]) break;
      place[d] = places.start[d];
    }
  }
  return {};
}

// The blocks are the chunks of a grid with such extents, edge chunks cut off.
bool blocks_are_chunks(const array_layout& layout, const index_list& chunk);

// The largest extents of blocks along each dimension, 1 at least.
index_list largest_block(const array_layout& layout);

// Extents that make about as many chunks as there are blocks, cut where these are cut, in fewer
// places along the first dimensions.
index_list chunk_near_blocks(const array_layout& layout);

// For each chunk the MPI rank whose block it is, or one whose block is near.
std::vector<int> owners_near_blocks(const array_layout& layout, const chunk_grid& grid);

// Chunks of a shard along each dimension when the chunks of every node form one shard; all 0 when
// they do not.
index_list shard_of_nodes(const chunk_grid& grid, const communicator& comm,
                          const std::vector<int>& owners);

// Chunks of a shard along each dimension for about so many shards.
index_list shard_near_nodes(const chunk_grid& grid, int nodes);

struct write_plan {
  chunk_grid grid;
  std::vector<int> owners;     // of each chunk: the MPI rank that writes it
  bool direct = false;         // each owner has the whole chunk as its block
  bool redistributed = false;  // the blocks are no chunks, or those of a node no shard
  int writers = 0;
  std::int64_t piece_bytes = 0;  // of the exchange that brings chunks to their writers
  hint_list in_force;
};

// The same on every MPI rank. fixed: the grid of earlier states of the same array, or null.
write_plan plan_chunks(const array_layout& layout, const parallel_settings& settings,
                       const chunk_grid* fixed);

}  // namespace headrace::zarr
