// MPI-IO moves what a collective write spans in cycles of its aggregators' buffers. An aggregator
// whose write fails leaves the call at once, and when there are more cycles to come, the others
// wait for it for ever (ROMIO; OMPIO after EIO). Calls that need one cycle only end on all MPI
// ranks.
#pragma once

#include <mpi.h>

#include <string>

#include "layouts.hpp"

namespace headrace {

// How many bytes of a file collective writes of such an array may span; 0: any number, because the
// blocks of the MPI ranks lie one behind the other, because every MPI rank writes for itself, or
// because the cycles are others (Lustre) or unknown. in_force: as MPI_File_get_info or a library
// gives it; it is not freed. The same on all MPI ranks.
std::int64_t bytes_of_one_cycle(const array_layout& layout, const std::string& file,
                                MPI_Info in_force);
std::int64_t bytes_of_one_cycle(const array_layout& layout, const std::string& file,
                                MPI_File opened);

}  // namespace headrace
