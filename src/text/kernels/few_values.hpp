// Counts for which every tier takes the path of single values. Used where a kernel chooses its
// tier.
#pragma once

#include <cstddef>

namespace headrace {

// A vector of 8 costs as much as three values one by one, whatever it holds.
inline constexpr std::size_t few_values = 2;

}  // namespace headrace
