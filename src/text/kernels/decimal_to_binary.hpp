// A decimal number in machine integers to the nearest binary one.
//
// Method: D. Lemire, "Number parsing at a gigabyte per second" (Eisel-Lemire), with bounds instead
// of a proof: if the two ends of the interval round differently, the caller decides exactly.
#pragma once

#include <cstdint>
#include <cstring>

#include "../powers_of_ten.hpp"

namespace headrace {

template <class Real>
struct binary_format;

template <>
struct binary_format<double> {
  using bits = std::uint64_t;
  static constexpr int precision = 53;
  static constexpr int lowest_exponent = -1022;
  static constexpr int highest_exponent = 1023;
  static constexpr int exact_power = 22;  // 10^22 is a double
};

template <>
struct binary_format<float> {
  using bits = std::uint32_t;
  static constexpr int precision = 24;
  static constexpr int lowest_exponent = -126;
  static constexpr int highest_exponent = 127;
  static constexpr int exact_power = 10;
};

// A number of 19 digits at most times a power beyond these is zero or infinite in every format.
inline constexpr std::int64_t power_to_zero = -350;
inline constexpr std::int64_t power_to_infinity = 320;

__extension__ using wide_product = unsigned __int128;

// The value from a significand with precision bits (or one more, after rounding up).
template <class Real>
Real real_from_parts(std::uint64_t significand, int exponent_field) noexcept {
  using format = binary_format<Real>;
  // The hidden bit adds one to the exponent field, and so does a carry out of the significand.
  const std::uint64_t bits =
      significand + (static_cast<std::uint64_t>(exponent_field) << (format::precision - 1));
  const auto narrow = static_cast<typename format::bits>(bits);
  Real value;
  std::memcpy(&value, &narrow, sizeof value);
  return value;
}

template <class Real>
Real infinity_of() noexcept {
  using format = binary_format<Real>;
  return real_from_parts<Real>(0, format::highest_exponent - format::lowest_exponent + 2);
}

// significand * 10^power, correctly rounded, for 0 < significand. Returns false when 128 bits do
// not decide. Overflow gives infinity.
template <class Real>
bool nearest_real(std::uint64_t significand, std::int64_t power, Real& value) noexcept {
  using format = binary_format<Real>;
  if (power < power_to_zero || power > power_to_infinity) {
    value = power > 0 ? infinity_of<Real>() : Real(0);
    return true;
  }
  const int p = static_cast<int>(power);
  const wide_power ten = powers_of_ten[static_cast<std::size_t>(p - lowest_power)];
  const int leading_zeros = __builtin_clzll(significand);
  const std::uint64_t scaled = significand << leading_zeros;

  // The true product lies in [product, product + 2), and at product + below / 2^64 when 10^p is
  // exact in 128 bits.
  const wide_product lower = static_cast<wide_product>(scaled) * ten.low;
  const wide_product product =
      static_cast<wide_product>(scaled) * ten.high + static_cast<std::uint64_t>(lower >> 64);
  const std::uint64_t below = static_cast<std::uint64_t>(lower);
  const bool is_exact = p >= 0 && p <= 55;

  const int top = (product >> 127) != 0 ? 127 : 126;
  const int exponent = exponent_of_power(p) + 64 - leading_zeros + top - 127;
  if (exponent > format::highest_exponent) {
    value = infinity_of<Real>();
    return true;
  }
  const int missing =  // bits that a subnormal number has less
      exponent < format::lowest_exponent ? format::lowest_exponent - exponent : 0;
  const int kept = format::precision - missing;
  if (kept < 1) return false;

  const int shift = top + 1 - kept;
  const wide_product half = static_cast<wide_product>(1) << (shift - 1);
  const wide_product rest = product & (half + half - 1);
  auto result = static_cast<std::uint64_t>(product >> shift);
  if (is_exact && rest == half && below == 0) {
    result += result & 1;  // halfway: to even
  } else if (!is_exact && rest == half - 1) {
    return false;
  } else {
    result += rest >= half;
  }
  const int field = missing > 0 ? 0 : exponent - format::lowest_exponent;
  value = real_from_parts<Real>(result, field);
  return true;
}

}  // namespace headrace
