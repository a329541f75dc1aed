#include "lines.hpp"

namespace headrace {

int contiguous_dimensions(const array_view& local) noexcept {
  auto expected = static_cast<std::ptrdiff_t>(local.elem_len);
  for (int d = 0; d < local.array_rank; ++d) {
    const auto dim = static_cast<std::size_t>(d);
    // Lines go on with the stride of the first dimension, even if that has one element only.
    if (local.stride[dim] != expected && (d == 0 || local.extent[dim] > 1)) return d;
    expected *= local.extent[dim];
  }
  return local.array_rank;
}

bool covers(const box& block, const piece& part) {
  for (const box& range : boxes_of_range(part.of, part.first, part.last))
    if (!(intersection(range, block) == range)) return false;
  return true;
}

}  // namespace headrace
