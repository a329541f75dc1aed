// What ADIOS2 buffers while it reads a section: of each written block all elements from the first
// to the last one of the section, of several blocks at once by its threads. Nothing bounds that but
// asking for less.
#pragma once

#include "calls.hpp"

namespace headrace {

// The blocks in which an array, or a step of it (-1: it has none), was written. The whole array
// where the engine does not tell: its lines are no shorter.
std::vector<box> adios2_written_blocks(adios2_engine* engine, adios2_variable* variable,
                                       std::int64_t step_index, const box& whole,
                                       const adios2_form& form);

// A section in parts that follow one another in its element order, for each of which ADIOS2 buffers
// no more elements than that (as far as a section can be cut).
std::vector<box> adios2_parts_for_reading(const box& section, const std::vector<box>& written,
                                          std::int64_t most_elements);

}  // namespace headrace
