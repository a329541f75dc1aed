// Moves the elements of a spread array to the MPI ranks that write them, and from those that read.
//
// The elements go in cycles. In each cycle every MPI rank may own one piece: a contiguous range of
// the element order of a box, small enough for the cache. On one node all MPI ranks copy straight
// into the owner's buffer, which is shared memory; between nodes they send messages.
#pragma once

#include "../../src/core/status.hpp"
#include "../together/function_ref.hpp"
#include "../together/timeline.hpp"
#include "element_form.hpp"
#include "layouts.hpp"

namespace headrace {

enum class direction { out, in };  // to a file, from a file

// Elements [first, last) of a box, in its element order.
struct piece {
  box of;  // in global coordinates; may reach beyond the array (padded by zeros)
  std::int64_t first = 0;
  std::int64_t last = 0;    // first == last: nothing in this cycle
  std::int64_t target = 0;  // for the owner: which file or chunk it belongs to
};

class piece_plan;  // plans.hpp

// Not collective. Whether this MPI rank has all elements of its pieces: if all do, none need to
// move.
bool own_pieces_are_here(const array_layout& layout, const piece_plan& plan);

// Called at the owner with a piece, or with joined ones, in the file's form: bytes of last - first
// elements. A failure is remembered; the exchange goes on so that no MPI rank waits for ever.
using piece_function = function_ref<status(const piece& part, char* data, std::size_t bytes)>;

// Collective. local is this MPI rank's block of the layout. Returns the status that agree() gives.
status exchange_out(const array_layout& layout, const array_view& local, const element_form& form,
                    const piece_plan& plan, timeline& line, const piece_function& take);
// Not collective: the same if all pieces are own. The status is that of this MPI rank.
status pass_own_out(const array_layout& layout, const array_view& local, const element_form& form,
                    const piece_plan& plan, timeline& line, const piece_function& take);
status exchange_in(const array_layout& layout, const array_view& local, const element_form& form,
                   const piece_plan& plan, timeline& line, const piece_function& fill);

}  // namespace headrace
