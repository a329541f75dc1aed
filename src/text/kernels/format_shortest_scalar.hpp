// The shortest digits of one value with 64-bit arithmetic: see format_shortest.hpp for the method.
#pragma once

#include "../powers_of_ten.hpp"
#include "format_digits.hpp"

namespace headrace {

// digits * 10^exponent; known is false if the slow path must decide.
struct short_decimal {
  std::uint64_t digits;
  int exponent;
  bool known;
};

// A value scaled so that its last place has a weight in [0.1, 1): integer + fraction / 2^64, and
// half of its last place in units of 2^-64.
struct scaled_value {
  std::uint64_t integer;
  std::uint64_t fraction;
  std::uint64_t half_place;
};

// The shortest number within half a place, times ten. error bounds the error of both fractions.
HEADRACE_INLINE short_decimal round_shortest(const scaled_value& scaled, bool power_of_two,
                                             std::uint64_t error, int exponent) noexcept {
  const std::uint64_t fraction = scaled.fraction;
  const std::uint64_t below = power_of_two ? scaled.half_place >> 1 : scaled.half_place;
  const std::uint64_t above = 0 - scaled.half_place;
  const bool down = fraction < below;
  const bool up = fraction > above;
  const wide_word tenths = wide_word{fraction} * 10;
  const auto rest = static_cast<std::uint64_t>(tenths);
  const std::uint64_t digit = static_cast<std::uint64_t>(tenths >> 64) + (rest >> 63);
  // Whether a value is long cannot be foreseen: no branches.
  const std::uint64_t is_long = !(down | up);
  const std::uint64_t near_edge =
      (fraction - below + error <= 2 * error) | (fraction - above + error <= 2 * error);
  const std::uint64_t near_middle = rest - (std::uint64_t{1} << 63) + 16 * error <= 32 * error;
  const std::uint64_t unknown = near_edge | (is_long & (near_middle | power_of_two));
  return {(scaled.integer + (up & !down)) * 10 + (digit & (0 - is_long)), exponent, unknown == 0};
}

// bits: a finite normal value without its sign.
HEADRACE_INLINE short_decimal shortest_decimal(std::uint64_t bits) noexcept {
  const std::uint64_t mantissa = bits & ((std::uint64_t{1} << 52) - 1);
  const int e = static_cast<int>(bits >> 52) - 1075;
  const int k = (e * 315653) >> 20;  // floor(log10(2^e))
  const int p = -1 - k;
  const wide_power power = powers_of_ten[static_cast<std::size_t>(p - lowest_power)];
  const int shift = -1 - e - exponent_of_power(p);  // in [0, 3]
  const std::uint64_t c = (mantissa | (std::uint64_t{1} << 52)) << 11;
  const wide_word product =
      wide_word{c} * power.high + static_cast<std::uint64_t>((wide_word{c} * power.low) >> 64);
  const wide_word value = shift_right(product, shift + 11);
  return round_shortest({static_cast<std::uint64_t>(value >> 64), static_cast<std::uint64_t>(value),
                         power.high >> (shift + 1)},
                        mantissa == 0, 4, k);
}

// bits: a finite normal value without its sign. 64 bits of the power suffice for 24 of the value.
HEADRACE_INLINE short_decimal shortest_decimal(std::uint32_t bits) noexcept {
  const std::uint32_t mantissa = bits & ((std::uint32_t{1} << 23) - 1);
  const int e = static_cast<int>(bits >> 23) - 150;
  const int k = (e * 315653) >> 20;
  const int p = -1 - k;
  const std::uint64_t power = powers_of_ten[static_cast<std::size_t>(p - lowest_power)].high;
  const int shift = -1 - e - exponent_of_power(p);
  const wide_word value = (wide_word{mantissa | (std::uint32_t{1} << 23)} * power) >> shift;
  return round_shortest({static_cast<std::uint64_t>(value >> 64), static_cast<std::uint64_t>(value),
                         power >> (shift + 1)},
                        mantissa == 0, std::uint64_t{1} << 25, k);
}

// Seventeen digits, the first not zero, and its exponent.
struct normalised_decimal {
  std::uint64_t digits;
  int exponent;
};

template <class Real>
HEADRACE_INLINE normalised_decimal normalise(const short_decimal& decimal) noexcept {
  if (sizeof(Real) == 8) {
    const std::uint64_t sixteen = decimal.digits < 10000000000000000U;
    return {decimal.digits + (decimal.digits * 9 & (0 - sixteen)),
            decimal.exponent + 16 - static_cast<int>(sixteen)};
  }
  const bool eight = decimal.digits < 100000000;
  const bool seven = decimal.digits < 10000000;
  const std::uint64_t unit = seven ? 10000000000U : eight ? 1000000000U : 100000000U;
  return {decimal.digits * unit, decimal.exponent + 8 - eight - seven};
}

}  // namespace headrace
