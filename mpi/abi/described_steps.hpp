// An array of a dataset together with its steps, for a face that returns both from one call. First:
// ../../include/headrace_mpi.h.
#pragma once

#include <cstdint>
#include <vector>

#include "../../include/headrace_mpi.h"

namespace headrace {

// Collective, as hr_describe_dataset_array, whatever this MPI rank makes of the steps.
int describe_with_steps(hr_dataset dataset, const char* name, hr_array_info& info,
                        std::vector<std::int64_t>& steps, hr_error* error);

// Collective, as hr_count_dataset_arrays; and the bytes of the longest name.
int count_names(hr_dataset dataset, std::int64_t& count, std::int64_t& longest, hr_error* error);

}  // namespace headrace
