// Between the C interface's hr_array and the kernels' array_view.
#pragma once

#include "../../include/headrace.h"
#include "../core/array_view.hpp"
#include "../core/status.hpp"

namespace headrace {

hr_array to_c(const array_view& array) noexcept;

// Refuses what no kernel could handle, so that they need not check again.
status from_c(const hr_array& array, array_view& view);
// The same for the few functions that take unsigned integers, too.
status from_c_or_unsigned(const hr_array& array, array_view& view);

}  // namespace headrace
