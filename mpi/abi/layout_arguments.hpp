// make_layout for a face that reads its arguments from elsewhere. First:
// ../../include/headrace_mpi.h.
#pragma once

#include "../../include/headrace_mpi.h"
#include "../../src/core/status.hpp"

namespace headrace {

// Collective, as hr_make_layout. before: what is wrong with this MPI rank's arguments; all get it.
status make_layout(hr_layout* layout, MPI_Comm comm, status before, bool for_reading,
                   int array_rank, const long long* global, const long long* start,
                   const long long* count);

}  // namespace headrace
