// Calls for a face that returns from one call what C asks for in several, or that reads its
// arguments from elsewhere. First: ../../include/headrace_mpi.h.
#pragma once

#include <cstdint>
#include <vector>

#include "../../include/headrace_mpi.h"
#include "../together/communicator.hpp"

namespace headrace {

// Collective, as hr_make_layout. before: what is wrong with this MPI rank's arguments; all get it.
status make_layout(hr_layout* layout, MPI_Comm comm, status before, bool for_reading,
                   int array_rank, const long long* global, const long long* start,
                   const long long* count);

// Collective, as hr_describe_dataset_array, whatever this MPI rank makes of the steps.
int describe_with_steps(hr_dataset dataset, const char* name, hr_array_info& info,
                        std::vector<std::int64_t>& steps, hr_error* error);

// Collective, as hr_count_dataset_arrays; and the bytes of the longest name.
int count_names(hr_dataset dataset, long long* count, std::int64_t& longest, hr_error* error);

}  // namespace headrace
