// HEADRACE_CHECK=1: finds the MPI rank that did not make a collective call.
#pragma once

#include "communicator.hpp"

namespace headrace {

// HEADRACE_CHECK=1
bool attendance_is_checked() noexcept;

// Collective; nothing at all unless HEADRACE_CHECK=1. Waits until all MPI ranks are here, at most
// HEADRACE_CHECK_SECONDS (30). Then those that came get the failure rank_missing, which names the
// others, or ranks_disagree when some made another call. After such a failure the program should
// end: a late MPI rank waits for answers that never come.
//
// Messages with the tags 7118 and 7119 go over comm, which is the user's while there is none of our
// own: a receive of any tag that waits there would take them. A duplicate needs all of them, and
// if some never come, it can neither be taken back nor name them.
status check_attendance(MPI_Comm comm, const char* call);
inline status check_attendance(const communicator& comm, const char* call) {
  return check_attendance(comm.handle(), call);
}

}  // namespace headrace
