// Fortran's array descriptor to the kernels' array_view.
#pragma once

#include "../core/array_view.hpp"
#include "../core/status.hpp"
#include "fortran_header.hpp"

namespace headrace {

// Refuses unallocated and assumed-size arrays, derived and unknown types, and descriptors of
// another compiler than the one whose header this library was built with.
status view_of(const CFI_cdesc_t& descriptor, array_view& view);

}  // namespace headrace
