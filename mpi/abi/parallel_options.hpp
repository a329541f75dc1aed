// The options of the C interface for a backend. Next: dataset.hpp.
#pragma once

#include "../../include/headrace_mpi.h"
#include "../dataset/backend.hpp"

namespace headrace {

// Options with their defaults resolved. What the backend cannot do is the failure option_unknown.
status convert(const hr_parallel_options& options, const backend& format,
               parallel_settings& settings);

const char* name_of(write_pattern pattern) noexcept;

// All options in one line, to compare those of the MPI ranks.
std::string text_of(const hr_parallel_options& options);

// "x, y, z" as names; default d1, d2, ... Failure argument_invalid when the number is another one.
status dimension_names(const std::string& given, int array_rank, std::vector<std::string>& names);

}  // namespace headrace
