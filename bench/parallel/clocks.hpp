// Clocks of nodes differ: how far MPI rank 0's is ahead.
#pragma once

#include "world.hpp"

namespace headrace::bench {

// Collective: seconds to add to this MPI rank's now() for that of MPI rank 0; 0 on its node.
// Measured by messages to and fro, the fastest of 20: good to some microseconds.
double learn_clock_offset(const world& all);

}  // namespace headrace::bench
