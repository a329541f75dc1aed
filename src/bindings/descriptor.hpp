// Fortran's array descriptor to the kernels' array_view.
#pragma once

#include "../abi/errors.hpp"
#include "../abi/views.hpp"
#include "fortran_header.hpp"

namespace headrace {

// Refuses unallocated and assumed-size arrays, derived and unknown types, and descriptors of
// another compiler than the one whose header this library was built with.
status view_of(const CFI_cdesc_t& descriptor, array_view& view);

// Does with an array's description what act asks for; a bad array goes to error.
template <class Act>
void with_array(const CFI_cdesc_t* array, hr_error& error, Act act) {
  array_view view;
  if (guarded(&error, [&] { return view_of(*array, view); }) == 0) act(to_c(view));
}

}  // namespace headrace
