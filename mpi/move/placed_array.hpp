// An array whose bytes lie in one file that all MPI ranks share, in one part or several.
#pragma once

#include <vector>

#include "../disk/positioned_file.hpp"
#include "exchange.hpp"
#include "settings.hpp"

namespace headrace {

// Elements [first, last) of an array, in element order, one after another from a byte on.
struct file_segment {
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::int64_t address = 0;
};

// Where and how an array lies, or one of its steps.
struct stored_place {
  std::vector<file_segment> segments;  // ascending; empty: not as plain bytes in element order
  std::size_t swapped_word = 0;        // bytes of words in the other byte order; 0: none
  bool last_index_fastest = false;     // C's order of these extents; only read
};

// Collective; file: open on this MPI rank. layout: of the whole array that lies there. Fills notes,
// times too.
status write_placed(const positioned_file& file, const stored_place& where, const array_view& local,
                    const array_layout& layout, const parallel_settings& settings,
                    parallel_notes& notes);
status read_placed(const positioned_file& file, const stored_place& where, const array_view& local,
                   const array_layout& layout, const parallel_settings& settings,
                   parallel_notes& notes);

// Not collective: a whole array, in element order; its words are swapped in data.
status write_whole(const positioned_file& file, const stored_place& where, char* data,
                   const box& global, const element_form& form);

}  // namespace headrace
