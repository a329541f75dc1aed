// Columns of reals of one layout, one field after the other: eight digits at a time in a 64-bit
// word. Next: parse_numbers_scalar.hpp.
#pragma once

#include "parse_columns.hpp"
#include "parse_numbers_scalar.hpp"

namespace headrace::scalar {

inline constexpr std::uint64_t powers_to_eight[] = {1,      10,      100,      1000,     10000,
                                                    100000, 1000000, 10000000, 100000000};

// Appends the n <= 8 digits before end to significand; false when one is none.
inline bool append_digits(const char* end, std::uint32_t n, std::uint64_t& significand) noexcept {
  if (n == 0) return true;
  constexpr std::uint64_t zeros = 0x3030303030303030;
  const std::uint64_t others = ~(~std::uint64_t{0} << (8 * (8 - n) % 64)) & (n == 8 ? 0 : ~0ULL);
  const std::uint64_t word = (load_eight(end - 8) & ~others) | (zeros & others);
  significand = significand * powers_to_eight[n] + value_of_eight(word);
  return are_digits(word);
}

inline bool are_blanks(const char* begin, const char* end) noexcept {
  bool blank = true;
  for (const char* p = begin; p < end; ++p) blank &= *p == ' ';
  return blank;
}

// Blanks, a sign or a blank, and one digit before the point. Signs change from field to field: no
// branch depends on them.
inline bool read_one_digit(const char* begin, const char* point, decimal_parts& parts) noexcept {
  const auto digit = static_cast<unsigned char>(point[-1] - '0');
  const char sign = point[-2];
  parts.significand = digit;
  parts.negative = sign == '-';
  return (digit < 10) & (parts.negative | (sign == ' ')) & are_blanks(begin, point - 2);
}

// Blanks, a sign or none, and digits up to point. False: something else.
inline bool read_digits_before(const char* begin, const char* point, const column_layout& layout,
                               decimal_parts& parts) noexcept {
  const char* first = point;
  const char* const most = point - layout.most_leading;
  while (first > most && is_digit(first[-1])) --first;
  for (const char* p = first; p < point; ++p)
    parts.significand = parts.significand * 10 + static_cast<std::uint64_t>(*p - '0');
  parts.negative = first > begin && first[-1] == '-';
  return are_blanks(begin, first - parts.negative);
}

// The field that ends at end. False: its layout is another.
inline bool read_by_layout(const char* end, const column_layout& layout,
                           decimal_parts& parts) noexcept {
  const char* const mantissa_end =
      layout.has_exponent ? end - layout.exponent - 1 - (layout.letter != 0) : end;
  const char* const point = mantissa_end - layout.decimals - 1;
  const char* const begin = end - layout.width;
  bool good = layout.has_one_digit ? read_one_digit(begin, point, parts)
                                   : read_digits_before(begin, point, layout, parts);
  good &= *point == layout.decimal;
  std::uint32_t left = layout.decimals;
  for (; left > 8; left -= 8) good &= append_digits(mantissa_end - left + 8, 8, parts.significand);
  good &= append_digits(mantissa_end, left, parts.significand);
  parts.power = -static_cast<int>(layout.decimals);
  if (!layout.has_exponent) return good;

  const char sign = *(end - layout.exponent - 1);
  std::uint64_t exponent = 0;
  good &= append_digits(end, layout.exponent, exponent);
  good &= layout.letter == 0 || *mantissa_end == layout.letter;
  const int negative = sign == '-';
  parts.power += (static_cast<int>(exponent) ^ -negative) + negative;
  return good && (sign == '-' || sign == '+');
}

// value or -value, without a branch.
template <class Real>
inline Real with_sign(Real value, bool negative) noexcept {
  typename binary_format<Real>::bits bits;
  std::memcpy(&bits, &value, sizeof bits);
  bits |= static_cast<typename binary_format<Real>::bits>(negative) << (8 * sizeof bits - 1);
  std::memcpy(&value, &bits, sizeof bits);
  return value;
}

template <class Real>
inline std::uint64_t parse_layout(const layout_block& block, const column_layout& layout,
                                  Real* values) noexcept {
  std::uint64_t unclear = 0;
  for (std::size_t i = 0; i < 64; ++i) {
    decimal_parts parts;
    const bool good =
        read_by_layout(block.text + block.ends[i], layout, parts) && round_parts(parts, values[i]);
    unclear |= std::uint64_t{!good} << i;
  }
  return unclear;
}

}  // namespace headrace::scalar
