// Whether a value that every MPI rank gives is the same on all: which one came into a file would
// depend on the format otherwise, and libraries that keep it on all MPI ranks damage the file.
#pragma once

#include "../../src/core/array_view.hpp"
#include "communicator.hpp"

namespace headrace {

// Collective, for a scalar or a contiguous array that has the same type and extents everywhere: a
// failure on all that names the first MPI rank whose value of the attribute is not that of MPI
// rank 0. Blanks at the end of a text do not count, nor how a logical says true; numbers are
// compared as bytes, so a NaN is equal to itself. array: empty for an attribute of the file.
status same_value_everywhere(const communicator& comm, const std::string& file,
                             const std::string& array, const std::string& name,
                             const array_view& value);

}  // namespace headrace
