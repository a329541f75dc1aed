// How an array is cut into chunks and shards, and which MPI rank writes each.
#pragma once

#include <memory>
#include <vector>

#include "../../move/plans.hpp"
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

  box all_chunks() const noexcept;  // places; none when the array is empty
  box all_shards() const noexcept;
  std::int64_t chunks() const noexcept { return volume(all_chunks()); }
  index_list place_of(std::int64_t number) const noexcept;
  box box_at(const index_list& place) const noexcept;  // whole, also beyond the array
  // Elements of a whole chunk.
  std::int64_t chunk_volume() const noexcept { return volume({array_rank, {}, chunk}); }

  // The shard of a chunk, and the chunk's place within it among those that exist, the first
  // dimension fastest; 0 without shards.
  index_list shard_of(const index_list& place) const noexcept;
  std::int64_t slot_of(const index_list& place) const noexcept;
  // The places of its chunks that exist.
  box chunks_of(const index_list& shard_place) const noexcept;
  // Places in the index of a shard.
  std::int64_t index_places() const noexcept { return volume({array_rank, {}, shard}); }
  // The place of a chunk in the index of its shard, the last dimension fastest.
  std::int64_t index_place_of(const index_list& place) const noexcept;
};

// Of an array that is stored, without the dimension of the steps.
chunk_grid grid_of(const array_document& stored);

// Places of a box by their numbers, counted from 0, the first dimension fastest.
index_list place_in(const box& places, std::int64_t number) noexcept;
std::int64_t number_in(const box& places, const index_list& place) noexcept;

// Calls visit(place) for each place of a box in that order until it fails.
template <class Visit>
status for_each_place(const box& places, Visit&& visit) {
  for (std::int64_t number = 0; number < volume(places); ++number)
    if (status s = visit(place_in(places, number)); !s.ok()) return s;
  return {};
}

struct write_plan {
  chunk_grid grid;
  std::vector<int> owners;             // of each chunk: the MPI rank that writes it
  std::vector<std::int64_t> order;     // of the chunks, in which their owners write them
  std::unique_ptr<piece_plan> pieces;  // of the chunks in that order
  bool compresses = false;             // so that one MPI rank writes all chunks of a shard
  bool redistributed = false;          // the blocks are no chunks, or those of a node no shard
  int writers = 0;
  hint_list in_force;
};

// The same on every MPI rank; may throw std::bad_alloc. array: its type and codecs. fixed: the grid
// of earlier states of the same array, or null.
write_plan plan_chunks(const array_layout& layout, const parallel_settings& settings,
                       const array_document& array, const chunk_grid* fixed);

}  // namespace headrace::zarr
