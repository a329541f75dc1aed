#include "array_info.hpp"

#include <algorithm>

namespace headrace {

array_view with_reversed_dimensions(const array_view& array) noexcept {
  array_view result = array;
  std::reverse(result.extent.begin(), result.extent.begin() + array.array_rank);
  std::reverse(result.stride.begin(), result.stride.begin() + array.array_rank);
  return result;
}

}  // namespace headrace
