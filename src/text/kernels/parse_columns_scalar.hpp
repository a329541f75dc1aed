// Columns of reals of one layout, one field after the other: everything but the digits behind the
// point, which each tier reads in its way. No branch depends on a sign or on the value of a digit.
// Next: parse_columns_portable.cpp, parse_columns_avx2.cpp.
#pragma once

#include "format_digits.hpp"
#include "parse_columns.hpp"
#include "parse_numbers_scalar.hpp"

namespace headrace::scalar {

inline constexpr std::uint64_t eight_blanks = 0x2020202020202020;

HEADRACE_INLINE bool are_blanks(const char* begin, const char* end) noexcept {
  std::uint64_t others = 0;
  for (; end - begin >= 8; end -= 8) others |= load_eight(end - 8) ^ eight_blanks;
  // The first bytes of the word belong to no field.
  if (begin < end) others |= (load_eight(end - 8) ^ eight_blanks) >> (8 * (8 - (end - begin)));
  return others == 0;
}

// What stands in front of the point, and how it ends.
struct beginning {
  std::uint64_t digits;  // as a number
  bool negative;
  bool good;
};

// Blanks, a sign or a blank, and one digit.
HEADRACE_INLINE beginning read_one_digit(const char* begin, const char* point,
                                         const column_layout& layout) noexcept {
  const auto digit = static_cast<unsigned char>(point[-1] - '0');
  const char sign = point[-2];
  const bool negative = sign == '-';
  bool good = (digit < 10) & (negative | (sign == ' '));
  if (layout.last_blanks != 0) {
    const char* const end = point - 2;
    good &= ((load_eight(end - 8) ^ eight_blanks) & layout.last_blanks) == 0;
    if (end - begin > 8) good &= are_blanks(begin, end - 8);
  }
  return {digit, negative, good};
}

// Blanks, a sign or none, and digits.
inline beginning read_leading_digits(const char* begin, const char* point,
                                     std::uint32_t most) noexcept {
  const char* first = point;
  while (first > point - most && is_digit(first[-1])) --first;
  std::uint64_t digits = 0;
  for (const char* p = first; p < point; ++p)
    digits = digits * 10 + static_cast<std::uint64_t>(*p - '0');
  const bool negative = first > begin && first[-1] == '-';
  return {digits, negative, are_blanks(begin, first - negative)};
}

// The letter, the sign and the one to four digits before end.
HEADRACE_INLINE int read_exponent(const char* end, const column_layout& layout,
                                  bool& good) noexcept {
  const char* const sign = end - layout.exponent - 1;
  good &= layout.letter == 0 || sign[-1] == layout.letter;
  const int negative = *sign == '-';
  good &= negative != 0 || *sign == '+';
  // Four digits in a word, zeros in place of those that are missing.
  constexpr std::uint32_t zeros = 0x30303030;
  const std::uint32_t before = 0xFFFFFFFFU >> (8 * (layout.exponent - 1)) >> 8;
  const auto last_four = static_cast<std::uint32_t>(load_eight(end - 8) >> 32);
  const std::uint32_t word = (last_four & ~before) | (zeros & before);
  good &= ((word & (word + 0x06060606)) & 0xF0F0F0F0) == zeros;
  const std::uint32_t digits = word - zeros;
  const std::uint32_t twos = digits * 10 + (digits >> 8);
  const auto exponent = static_cast<int>((twos & 0xFF) * 100 + (twos >> 16 & 0xFF));
  return (exponent ^ -negative) + negative;
}

// The first byte behind the digits.
HEADRACE_INLINE const char* end_of_digits(const char* end, const column_layout& layout) noexcept {
  return layout.has_exponent ? end - layout.exponent - 1 - (layout.letter != 0) : end;
}

// The field that ends at end; fraction: the number of the digits behind its point, good: they are
// digits. False: its layout is another, or the value is not easily rounded.
template <class Real>
HEADRACE_INLINE bool parse_by_layout(const char* end, const column_layout& layout,
                                     std::uint64_t fraction, bool good, Real& value) noexcept {
  const char* const begin = end - layout.width;
  const char* const point = end_of_digits(end, layout) - layout.decimals - 1;
  const beginning first = layout.has_one_digit
                              ? read_one_digit(begin, point, layout)
                              : read_leading_digits(begin, point, layout.most_leading);
  good &= first.good & (*point == layout.decimal);
  decimal_parts parts;
  parts.significand = first.digits * decimal_units[layout.decimals] + fraction;
  parts.power = -static_cast<int>(layout.decimals);
  if (layout.has_exponent) parts.power += read_exponent(end, layout, good);
  Real magnitude = 0;
  if (!good || !round_parts(parts, magnitude)) return false;
  typename binary_format<Real>::bits bits;
  std::memcpy(&bits, &magnitude, sizeof bits);
  bits |= static_cast<typename binary_format<Real>::bits>(first.negative) << (8 * sizeof bits - 1);
  std::memcpy(&value, &bits, sizeof bits);
  return true;
}

}  // namespace headrace::scalar
