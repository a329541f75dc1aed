// The plans of pieces that patterns use.
#pragma once

#include <memory>

#include "exchange.hpp"

namespace headrace {

inline constexpr std::int64_t default_piece_bytes = std::int64_t{1} << 20;

// May throw std::bad_alloc. One file in global element order: each of the owners has a
// contiguous part of it, aligned to piece_bytes; the owner of a part is an MPI rank that holds
// elements of it where that is possible. writers: spread over the nodes and, in the order of the
// file, over the MPI ranks of a node; 1 is the serial pattern (MPI rank 0), 0: all. joined_bytes:
// of pieces that may be joined, 0: none are.
std::unique_ptr<piece_plan> make_shared_plan(const array_layout& layout, std::int64_t file_bytes,
                                             std::int64_t piece_bytes, int writers,
                                             std::int64_t joined_bytes = 0);

// May throw std::bad_alloc. Boxes, each written in element order by its owner, one after another.
// owner_of[i] owns boxes[i]; piece::target is i.
std::unique_ptr<piece_plan> plan_boxes(const array_layout& layout, std::vector<box> boxes,
                                       std::vector<int> owner_of, std::int64_t file_bytes,
                                       std::int64_t piece_bytes);

}  // namespace headrace
