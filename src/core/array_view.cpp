#include "array_view.hpp"

namespace headrace {

std::optional<std::size_t> element_count(const array_view& array) noexcept {
  // A zero extent makes the array empty however large the others are.
  for (int d = 0; d < array.array_rank; ++d)
    if (array.extent[d] == 0) return 0;
  std::size_t count = 1;
  for (int d = 0; d < array.array_rank; ++d)
    if (__builtin_mul_overflow(count, static_cast<std::size_t>(array.extent[d]), &count)) return {};
  return count;
}

std::optional<std::size_t> byte_count_of_ranks(const array_view& array) noexcept {
  const std::optional<std::size_t> elements = element_count(array);
  std::ptrdiff_t bytes = 0;  // files and pointers count in signed numbers
  if (!elements || __builtin_mul_overflow(*elements, array.elem_len, &bytes)) return {};
  return static_cast<std::size_t>(bytes);
}

run_grid runs_of(const array_view& array) noexcept {
  run_grid grid;
  if (byte_count(array).value_or(0) == 0) return grid;
  auto run = static_cast<std::ptrdiff_t>(array.elem_len);
  for (int d = 0; d < array.array_rank; ++d) {
    const std::ptrdiff_t extent = array.extent[d];
    const std::ptrdiff_t stride = array.stride[d];
    const int last = grid.dimensions - 1;
    if (extent == 1) continue;  // its stride is never used
    if (last < 0 && stride == run) {
      run *= extent;
    } else if (last >= 0 && stride == grid.stride[last] * grid.extent[last]) {
      grid.extent[last] *= extent;  // goes on where the dimension before ends
    } else {
      grid.extent[grid.dimensions] = extent;
      grid.stride[grid.dimensions] = stride;
      ++grid.dimensions;
    }
  }
  grid.run_bytes = static_cast<std::size_t>(run);
  return grid;
}

bool is_contiguous(const array_view& array) noexcept {
  bool has_gaps = false;
  std::size_t run =
      array.elem_len;  // unsigned: extents that no machine holds come before a zero one
  for (int d = 0; d < array.array_rank; ++d) {
    if (array.extent[d] == 0) return true;
    if (array.extent[d] == 1) continue;  // its stride is never used
    has_gaps = has_gaps || static_cast<std::size_t>(array.stride[d]) != run;
    run *= static_cast<std::size_t>(array.extent[d]);
  }
  return !has_gaps || array.elem_len == 0;
}

void run_position::advance(std::ptrdiff_t count) noexcept {
  std::ptrdiff_t step = count;
  for (int d = 0; d < grid_.dimensions; ++d) {
    index_[d] += step;
    offset_ += step * grid_.stride[d];
    if (index_[d] < grid_.extent[d]) return;
    offset_ -= grid_.stride[d] * grid_.extent[d];
    index_[d] = 0;
    step = 1;
  }
  at_end_ = true;
}

}  // namespace headrace
