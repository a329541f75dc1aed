// An array in global element order within one file that all MPI ranks share: from an offset on,
// plain. npy and HDF5's contiguous datasets are such arrays.
#pragma once

#include <memory>

#include "../disk/positioned_file.hpp"
#include "exchange.hpp"
#include "settings.hpp"

namespace headrace {

struct shared_array {
  const positioned_file& file;   // open on this MPI rank
  std::int64_t offset = 0;       // of the first element, bytes
  std::size_t swapped_word = 0;  // bytes of words in the other byte order, 0: none
};

// Collective. Who has which pieces of a shared file, by the pattern and the hints cb_nodes (how
// many MPI ranks write, spread over the nodes) and cb_buffer_size (bytes of a piece). Without
// cb_nodes all where each has what it writes, or else as many as work at a time. Fills notes:
// writers, hints in force.
status plan_shared_array(const array_layout& layout, const element_form& form,
                         const parallel_settings& settings, parallel_notes& notes,
                         std::unique_ptr<piece_plan>& made);

// Collective. Fills notes, times too. Layout: of the whole array that lies there.
status write_shared(const shared_array& stored, const array_view& local, const array_layout& layout,
                    const parallel_settings& settings, parallel_notes& notes);
status read_shared(const shared_array& stored, const array_view& local, const array_layout& layout,
                   const parallel_settings& settings, parallel_notes& notes);

}  // namespace headrace
