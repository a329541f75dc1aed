// A local block handed to a library in contiguous parts of bounded size, the same number of them on
// every MPI rank, so that collective calls match.
#pragma once

#include "plans.hpp"

namespace headrace {

// part: in global coordinates, empty for MPI ranks that have nothing left. data: its elements in
// the file's form; points into the local array if that is contiguous.
using slab_function = function_ref<status(const box& part, char* data)>;

// Of elements that are copied first.
inline constexpr std::int64_t largest_slab_bytes = std::int64_t{16} << 20;

// Collective. A block that is contiguous and plain goes in slabs of largest_call_bytes, others in
// slabs that are staged. Failures are remembered and agreed at the end; a failed MPI rank goes on
// with empty parts.
status pass_slabs(const array_layout& layout, const array_view& local, const element_form& form,
                  direction way, const slab_function& act);

// Collective. MPI rank 0 alone calls the library, with parts of the array that follow one another
// in the file, of at most so many bytes; the elements come from all MPI ranks, or go to them.
status pass_by_root(const array_layout& layout, const array_view& local, const element_form& form,
                    timeline& line, direction way, const slab_function& act,
                    std::int64_t piece_bytes = default_piece_bytes);

}  // namespace headrace
