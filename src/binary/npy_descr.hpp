// numpy's names of element types: "<f8", "|S12".
#pragma once

#include <string>

#include "../core/array_info.hpp"

namespace headrace {

// Sets type, elem_len and order. Failure kind_unsupported when Fortran has no such type,
// header_damaged when numpy has none.
status parse_npy_descr(const std::string& descr, array_info& info);

// Refuses what numpy and C have and Fortran does not have: unsigned integers and reals of 2 bytes.
status check_fortran_has(const array_info& info);

}  // namespace headrace
