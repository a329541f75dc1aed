// Powers of ten to 128 bits: the one table of all conversions between binary and decimal.
//
// 10^p = significand * 2^(exponent_of_power(p) - 127) with 2^127 <= significand < 2^128, rounded
// down. Method: R. Giulietti (Schubfach) and D. Lemire (fast_float) use such a table too.
#pragma once

#include <array>
#include <cstdint>

namespace headrace {

inline constexpr int lowest_power = -360;
inline constexpr int highest_power = 360;

struct wide_power {
  std::uint64_t high;
  std::uint64_t low;
};

// powers_of_ten[p - lowest_power]
extern const std::array<wide_power, highest_power - lowest_power + 1> powers_of_ten;

// The upper 104 bits in two limbs of 52, for the multiply-add instructions of AVX-512 IFMA.
struct ifma_power {
  std::uint64_t high;
  std::uint64_t low;
};
extern const std::array<ifma_power, highest_power - lowest_power + 1> ifma_powers_of_ten;

// floor(log2(10^p)) for |p| <= 360
constexpr int exponent_of_power(int p) noexcept {
  return (p * 217706) >> 16;
}

// The bits of the smallest real64 that is not below 10^k, for the normal reals:
// decimal_thresholds[k - lowest_threshold].
inline constexpr int lowest_threshold = -308;
inline constexpr int highest_threshold = 309;
extern const std::array<std::uint64_t, highest_threshold - lowest_threshold + 1> decimal_thresholds;

}  // namespace headrace
