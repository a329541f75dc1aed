// Writes the chunks of a spread array by a pattern. Next: zarr/output.hpp writes those of an MPI
// rank.
#pragma once

#include "../../dataset/backend.hpp"
#include "output.hpp"

namespace headrace {

struct zarr_write_plan {
  chunk_grid grid;
  std::vector<int> owners;     // of each chunk: the MPI rank that writes it
  bool direct = false;         // each owner has the whole chunk as its block
  bool redistributed = false;  // the blocks are no chunks, or those of a node no shard
  int writers = 0;
  std::int64_t piece_bytes = 0;  // of the exchange that brings chunks to their writers
  hint_list in_force;
};

// The same on every MPI rank. fixed: the grid of earlier states of the same array, or null.
zarr_write_plan plan_zarr_chunks(const array_layout& layout, const parallel_settings& settings,
                                 const chunk_grid* fixed);

// Collective.
status write_zarr_chunks(const zarr_destination& to, const zarr_write_plan& plan,
                         const array_view& local, const array_layout& layout, timeline& line,
                         std::vector<written_file>& written);

}  // namespace headrace
