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
  hr_array c_array{};
  const int failed = guarded(&error, [&] {
    array_view view;
    status s = view_of(*array, view);
    if (s.ok()) c_array = to_c(view);
    return s;
  });
  if (failed == 0) act(c_array);
}

}  // namespace headrace
