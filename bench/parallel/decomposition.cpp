#include "decomposition.hpp"

#include <algorithm>
#include <stdexcept>

namespace headrace::bench {
namespace {

constexpr std::int64_t largest_call = std::int64_t{1} << 30;  // bytes

extents grid_of(const std::string& layout, int ranks) {
  if (layout == "fast") return {ranks, 1, 1};
  const int axes = layout == "slab" ? 1 : layout == "pencil" ? 2 : layout == "block" ? 3 : 0;
  if (axes == 0) {
    throw std::invalid_argument("layout \"" + layout + "\": expected slab, pencil, block or fast");
  }
  const std::vector<int> factors = balanced_factors(ranks, axes);
  extents grid{1, 1, 1};
  for (int axis = 0; axis < axes; ++axis) {
    grid[static_cast<std::size_t>(3 - axes + axis)] = factors[static_cast<std::size_t>(axis)];
  }
  return grid;
}

}  // namespace

std::vector<int> balanced_factors(int ranks, int factors) {
  if (factors == 1) return {ranks};
  std::vector<int> best;
  for (int first = 1; first <= ranks; ++first) {
    if (ranks % first != 0) continue;
    std::vector<int> rest = balanced_factors(ranks / first, factors - 1);
    if (first > rest.front()) break;
    rest.insert(rest.begin(), first);
    if (best.empty() || rest.back() - rest.front() < best.back() - best.front()) best = rest;
  }
  return best;
}

decomposition decompose(const extents& global, const std::string& layout, int ranks) {
  decomposition made;
  made.global = global;
  const extents grid = grid_of(layout, ranks);
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    const extents place = {rank / (grid[1] * grid[2]), rank / grid[2] % grid[1], rank % grid[2]};
    block own;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::int64_t least = global[axis] / grid[axis];
      const std::int64_t longer = global[axis] % grid[axis];  // blocks with one more
      own.start[axis] = place[axis] * least + std::min(place[axis], longer);
      own.count[axis] = least + (place[axis] < longer ? 1 : 0);
    }
    made.blocks.push_back(own);
  }
  return made;
}

std::int64_t decomposition::largest_block() const noexcept {
  std::int64_t most = 0;
  for (const block& each : blocks) most = std::max(most, each.elements());
  return most;
}

std::int64_t decomposition::elements_before(int rank) const noexcept {
  std::int64_t sum = 0;
  for (int earlier = 0; earlier < rank; ++earlier) {
    sum += blocks[static_cast<std::size_t>(earlier)].elements();
  }
  return sum;
}

std::int64_t decomposition::calls() const noexcept {
  return std::max<std::int64_t>(1, (8 * largest_block() + largest_call - 1) / largest_call);
}

block part_of_call(const block& own, std::int64_t call, std::int64_t calls) noexcept {
  std::size_t axis = 2;  // the slowest that can be cut
  while (axis > 0 && own.count[axis] == 1) --axis;
  block part = own;
  const std::int64_t first = own.count[axis] * call / calls;
  part.start[axis] += first;
  part.count[axis] = own.count[axis] * (call + 1) / calls - first;
  return part;
}

void for_each_run(const extents& global, const block& part, const run_function& visit) {
  if (part.elements() == 0) return;
  // Axes that the block has whole join the run.
  std::int64_t rows = 1;
  std::int64_t planes = 1;
  if (part.count[0] == global[0]) {
    rows = part.count[1];
    if (part.count[1] == global[1]) planes = part.count[2];
  }
  const std::int64_t length = part.count[0] * rows * planes;
  std::int64_t in_block = 0;
  for (std::int64_t k = 0; k < part.count[2]; k += planes) {
    for (std::int64_t j = 0; j < part.count[1]; j += rows) {
      const std::int64_t row = part.start[1] + j + global[1] * (part.start[2] + k);
      if (!visit(part.start[0] + global[0] * row, in_block, length)) return;
      in_block += length;
    }
  }
}

}  // namespace headrace::bench
