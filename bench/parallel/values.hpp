// The data that all methods transfer: real64 made from the seed and the place in the global array,
// so that any decomposition can check them. They cannot be compressed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "decomposition.hpp"

namespace headrace::bench {

// splitmix64 of the place; 52 random bits of the fraction, exponents from -3 to 4, either sign.
inline std::uint64_t bits_at(std::uint64_t seed, std::int64_t place) noexcept {
  std::uint64_t z =
      seed * 0xD1342543DE82EF95U + (static_cast<std::uint64_t>(place) + 1U) * 0x9E3779B97F4A7C15U;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  z ^= z >> 31;
  const std::uint64_t exponent = 1020U + ((z >> 52) & 7U);
  return (z & 0x800FFFFFFFFFFFFFU) | (exponent << 52);
}

void fill_values(double* values, const extents& global, const block& own, std::uint64_t seed);
void fill_nan(double* values, const block& own);
// Values of the block that differ in any bit from what fill_values makes.
std::int64_t count_bad_values(const double* values, const extents& global, const block& own,
                              std::uint64_t seed);

// Memory for the block of this MPI rank. It is kept from request to request, so that its pages are
// there when the clock starts.
class block_memory {
 public:
  block_memory() = default;
  ~block_memory();
  block_memory(const block_memory&) = delete;
  block_memory& operator=(const block_memory&) = delete;
  // Null when there is not enough memory. at_page: it begins with a page.
  double* with(std::int64_t elements, bool at_page);

 private:
  double* values_ = nullptr;
  std::int64_t elements_ = 0;
  bool at_page_ = false;
};

}  // namespace headrace::bench
