// A Fortran array for a function of the C interface. Next: descriptor.hpp.
#pragma once

#include "../abi/errors.hpp"
#include "../abi/views.hpp"
#include "arguments.hpp"
#include "descriptor.hpp"

namespace headrace {

// Does with an array's description what act asks for; a bad array goes to error.
template <class Act>
void with_array(const CFI_cdesc_t* array, hr_error& error, Act act) {
  array_view view;
  if (guarded(&error, [&] { return view_of(*array, view); }) == 0) act(to_c(view));
}

}  // namespace headrace
