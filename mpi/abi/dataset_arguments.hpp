// What calls of a dataset were given: options for a backend, and arguments compared with the layout
// and with what is stored. None is collective. Next: dataset.hpp.
#pragma once

#include <string>

#include "../../include/headrace_mpi.h"
#include "../../src/core/array_view.hpp"
#include "../dataset/attribute_failures.hpp"
#include "../dataset/backend.hpp"
#include "../move/layouts.hpp"

namespace headrace {

std::string value_text(const array_view& value);
// A line for each element, behind the name. Blanks at the end of a text do not count, nor how a
// logical says true; numbers are shown as texts, so a NaN is equal to itself.
std::string element_lines(const std::string& name, const array_view& value);

// "10, 20, 30, ...": the first ten
std::string steps_text(const std::vector<std::int64_t>& steps);

// of: "the array"
status check_name(const std::string& name, const char* of);
// The array in the file is of the kind of the local one, and has the extents of
// the layout.
status check_fits(const std::string& name, const array_view& local, const array_layout& layout,
                  const described_array& stored);
status closed_layout();
// Both have the same MPI ranks in the same order.
status check_layout(const array_layout& layout, const communicator& comm);
// The local array has the extents of its block.
// writes: a layout for reading is refused.
status check_block(const hr_array* described, const array_layout& layout, bool writes,
                   array_view& local);
// An attribute is a scalar, or contiguous of array rank 1.
status attribute_value(const hr_array* value, array_view& view);

// Options with their defaults resolved. What the backend cannot do is the failure option_unknown.
status convert(const hr_parallel_options& options, const backend& format,
               parallel_settings& settings);

const char* name_of(write_pattern pattern) noexcept;

// All options in one line, to compare those of the MPI ranks.
std::string text_of(const hr_parallel_options& options);

// "x, y, z" as names; default d1, d2, ... Failure argument_invalid when the number is another one.
status dimension_names(const std::string& given, int array_rank, std::vector<std::string>& names);

}  // namespace headrace
