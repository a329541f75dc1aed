// How the global array is split over the MPI ranks: a grid of blocks whose extents along an axis
// differ by one at most.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace headrace::bench {

using extents = std::array<std::int64_t, 3>;

// As most libraries name dimensions.
template <class Number>
std::array<Number, 3> slowest_first(const extents& of) noexcept {
  return {static_cast<Number>(of[2]), static_cast<Number>(of[1]), static_cast<Number>(of[0])};
}

struct block {
  extents start{};  // from 0
  extents count{};
  std::int64_t elements() const noexcept { return count[0] * count[1] * count[2]; }
};

struct decomposition {
  extents global{};
  std::vector<block> blocks;  // of every MPI rank

  std::int64_t elements() const noexcept { return global[0] * global[1] * global[2]; }
  std::int64_t largest_block() const noexcept;  // elements
  // Elements of the blocks of earlier MPI ranks: where a block begins in a file of blocks.
  std::int64_t elements_before(int rank) const noexcept;
  // Libraries fail beyond 2 GiB in a call: on how many calls all MPI ranks agree; mostly 1.
  std::int64_t calls() const noexcept;
};

// What a call transfers of a block, one contiguous part after the other; may be empty.
block part_of_call(const block& own, std::int64_t call, std::int64_t calls) noexcept;

// slab splits the last axis (in Fortran's order), pencil the last two, block all three, fast the
// first. The later an axis, the more parts it has; the MPI ranks follow along the last axis first,
// as MPI_Cart_create numbers them. Throws std::invalid_argument for another layout.
decomposition decompose(const extents& global, const std::string& layout, int ranks);

// ranks as a product of as many factors, as equal as they can be, ascending.
std::vector<int> balanced_factors(int ranks, int factors);

// Called with each contiguous part of a block in a file of global order: its first element there,
// its first in the block, elements.
using run_function =
    std::function<bool(std::int64_t in_file, std::int64_t in_block, std::int64_t elements)>;
// Ends when the function returns false.
void for_each_run(const extents& global, const block& part, const run_function& visit);

}  // namespace headrace::bench
