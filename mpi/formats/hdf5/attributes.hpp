// Scalars and arrays of array rank 1 beside an array or the whole file. Not collective by
// themselves: where the file is open by MPI-IO all MPI ranks write the same.
#pragma once

#include <string>

#include "types.hpp"

namespace headrace::hdf5 {

// value: contiguous. An old attribute of that name is replaced.
status put_attribute(hid_t object, const std::string& name, const array_view& value);

// Texts are filled up with blanks to the length of value; longer ones are the failure
// kind_mismatch, other extents shape_mismatch, no such attribute array_missing.
status get_attribute(hid_t object, const std::string& name, const array_view& value);

}  // namespace headrace::hdf5
