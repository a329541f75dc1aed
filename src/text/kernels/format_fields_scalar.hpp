// The digits of one field with 64-bit arithmetic, for the tiers without AVX-512.
#pragma once

#include "../powers_of_ten.hpp"
#include "format_digits.hpp"
#include "format_fields.hpp"

namespace headrace {

// The number of decimal digits, none for zero.
HEADRACE_INLINE int decimal_digits(std::uint64_t value) noexcept {
  const int guess = ((64 - __builtin_clzll(value | 1)) * 1233) >> 12;
  if (guess == 19) return value >= 10000000000000000000U ? 20 : 19;
  return guess + (value >= decimal_units[static_cast<std::size_t>(guess)]);
}

// digits * 10^(exponent - significant + 1), or digits * 10^-d; known is false if the slow path
// must decide.
struct rounded_decimal {
  std::uint64_t digits;
  int exponent;
  bool known;
};

inline constexpr std::uint64_t half_of_fraction = std::uint64_t{1} << 63;

// value * 2^64 rounded to an integer; error bounds the error of value.
HEADRACE_INLINE rounded_decimal round_nearest(wide_word value, int exponent) noexcept {
  const auto fraction = static_cast<std::uint64_t>(value);
  constexpr std::uint64_t error = 4;
  return {static_cast<std::uint64_t>(value >> 64) + (fraction >> 63), exponent,
          fraction - half_of_fraction + error > 2 * error};
}

// |value| * 10^power to the nearest integer, ties to even, with whole numbers only; false if
// they would be too large. For what round_nearest leaves open: mostly ties.
bool round_exactly(double value, int power, std::uint64_t& digits) noexcept;

// significand (bit 63 set) times a power of ten, without the lowest 64 bits.
HEADRACE_INLINE wide_word scale(std::uint64_t significand, int power) noexcept {
  const wide_power ten = powers_of_ten[static_cast<std::size_t>(power - lowest_power)];
  return wide_word{significand} * ten.high +
         static_cast<std::uint64_t>((wide_word{significand} * ten.low) >> 64);
}

HEADRACE_INLINE double value_of(std::uint64_t bits) noexcept {
  double value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

HEADRACE_INLINE std::uint64_t significand_of(std::uint64_t bits) noexcept {
  return (bits << 11) | (std::uint64_t{1} << 63);
}

// bits: a normal value without its sign; count significant digits.
HEADRACE_INLINE rounded_decimal significant_decimal(std::uint64_t bits, int count) noexcept {
  const int e = static_cast<int>(bits >> 52) - 1023;
  int k = (e * 315653) >> 20;  // floor(log10(2^e))
  k += bits >= decimal_thresholds[static_cast<std::size_t>(k + 1 - lowest_threshold)];
  const int power = count - 1 - k;
  const wide_word value =
      shift_right(scale(significand_of(bits), power), 62 - e - exponent_of_power(power));
  rounded_decimal result = round_nearest(value, k);
  if (__builtin_expect(!result.known, 0))
    result.known = round_exactly(value_of(bits), power, result.digits);
  const auto units = static_cast<std::size_t>(count);
  if (__builtin_expect(result.digits == decimal_units[units], 0)) {
    result.digits = decimal_units[units - 1];
    ++result.exponent;
  }
  return result;
}

// bits: a normal value without its sign; decimals digits after the point.
HEADRACE_INLINE rounded_decimal fixed_decimal(std::uint64_t bits, int decimals) noexcept {
  const int e = static_cast<int>(bits >> 52) - 1023;
  const int shift = 62 - e - exponent_of_power(decimals);
  if (shift < 7) return {0, 0, false};
  if (shift > 127) return {0, 0, true};
  rounded_decimal result = round_nearest(scale(significand_of(bits), decimals) >> shift, 0);
  if (!result.known) result.known = round_exactly(value_of(bits), decimals, result.digits);
  result.known = result.known && result.digits < decimal_units[most_digits];
  return result;
}

// What a field is made of; known is false if the slow path must write it.
struct field_parts {
  std::uint64_t digits;
  int exponent;  // of the forms with exponent
  int before;    // digits before the point of the fixed form, one at least if d is 0
  bool negative;
  bool known;
};

// What stands at the place of the sign. Signs cannot be foreseen: no branch.
HEADRACE_INLINE unsigned char sign_text(bool negative, char positive) noexcept {
  const auto plus = static_cast<unsigned>(static_cast<unsigned char>(positive));
  return static_cast<unsigned char>(plus ^ ((plus ^ unsigned{'-'}) & (0U - unsigned{negative})));
}

// Whether rounding may have led G to another form than gfortran's, which looks at the number and
// not at its digits.
HEADRACE_INLINE bool general_is_unsure(const rounded_decimal& decimal, std::uint64_t size,
                                       int count) noexcept {
  const auto units = static_cast<std::size_t>(count);
  if (decimal.digits == decimal_units[units] - 1) return true;
  if (decimal.digits != decimal_units[units - 1]) return false;
  if (decimal.exponent < lowest_threshold || decimal.exponent > highest_threshold) return true;
  return size < decimal_thresholds[static_cast<std::size_t>(decimal.exponent - lowest_threshold)];
}

// The digits before the point of G's fixed form, beyond significant() for the one with exponent.
HEADRACE_INLINE unsigned general_before(const field_edit& edit, int exponent) noexcept {
  return static_cast<unsigned>(exponent + edit.is_scientific());
}

HEADRACE_INLINE field_parts exponential_parts(const field_layout& layout, std::uint64_t bits,
                                              int count) noexcept {
  const bool before_point = !layout.edit.is_scientific();
  const std::uint64_t size = bits & (~std::uint64_t{0} >> 1);
  const bool general = layout.edit.form == field_form::general;
  field_parts parts{0, general, 0, size != bits, true};
  if (size != 0) {
    if ((size >> 52) - 1 > 2045) return {0, 0, 0, false, false};
    const rounded_decimal decimal = significant_decimal(size, count);
    parts.digits = decimal.digits;
    parts.exponent = decimal.exponent + before_point;
    parts.known = decimal.known;
    if (general) parts.known = parts.known && !general_is_unsure(decimal, size, count);
  }
  const int largest = layout.edit.largest_exponent();
  const bool misfit = (parts.exponent > largest) | (-parts.exponent > largest) |
                      (parts.negative & !layout.negative_fits);
  parts.known = parts.known & !misfit;
  return parts;
}

HEADRACE_INLINE field_parts fixed_parts(const field_layout& layout, std::uint64_t bits) noexcept {
  const int decimals = layout.edit.digits;
  const std::uint64_t size = bits & (~std::uint64_t{0} >> 1);
  field_parts parts{0, 0, 0, size != bits, true};
  if (size >> 52 == 2047) return {0, 0, 0, false, false};
  if (size >> 52 != 0) {
    const rounded_decimal decimal = fixed_decimal(size, decimals);
    parts.digits = decimal.digits;
    parts.known = decimal.known;
  }
  const int count = decimal_digits(parts.digits) - decimals;
  const int least = decimals == 0 ? 1 : 0;
  parts.before = count > least ? count : least;
  parts.known = parts.known && parts.before + 1 + decimals + parts.negative <= layout.edit.width;
  return parts;
}

}  // namespace headrace
