// One field at a time with ordinary instructions: the common forms here, all others in
// parse_one.hpp. Next: decimal_to_binary.hpp rounds.
#pragma once

#include <cstring>
#include <limits>
#include <type_traits>

#include "decimal_to_binary.hpp"
#include "format_digits.hpp"
#include "parse_numbers_tiers.hpp"
#include "parse_one.hpp"

namespace headrace::scalar {

inline bool is_blank(char c) noexcept {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

inline bool is_digit(char c) noexcept {
  return static_cast<unsigned char>(c - '0') < 10;
}

// The text of a field without the blanks around it. Line feeds are blanks too: empty lines before
// a field belong to it.
struct field_text {
  const char* begin;
  const char* end;
};

inline field_text trimmed(const char* begin, const char* end) noexcept {
  while (begin < end && is_blank(*begin)) ++begin;
  while (begin < end && is_blank(end[-1])) --end;
  return {begin, end};
}

// The text of the field that ends[0] ends.
inline field_text field_at(const char* text, const std::uint32_t* ends) noexcept {
  const std::uint32_t begin = ends[-1] + 1;  // the map begins with -1
  return {text + begin, text + ends[0]};
}

// A field of fixed width without the blanks in front. Tabs and line feeds are no blanks here.
inline field_text column_at(const column_block& columns, std::size_t i) noexcept {
  const char* const end = columns.text + columns.ends[i];
  const char* begin = end - columns.widths[i];
  while (begin < end && *begin == ' ') ++begin;
  return {begin, end};
}

// Eight digits in one register, the first in the lowest byte.
inline std::uint64_t load_eight(const char* p) noexcept {
  std::uint64_t word;
  std::memcpy(&word, p, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  return word;
}

inline bool are_digits(std::uint64_t word) noexcept {
  return ((word & (word + 0x0606060606060606)) & 0xF0F0F0F0F0F0F0F0) == 0x3030303030303030;
}

// Pairs, quads and octets of digits by multiplication (D. Lemire, "Number parsing at a gigabyte
// per second", section 5).
inline std::uint64_t value_of_eight(std::uint64_t word) noexcept {
  word -= 0x3030303030303030;
  word = word * 10 + (word >> 8);
  const std::uint64_t low = (word & 0x000000FF000000FF) * 0x000F424000000064;
  const std::uint64_t high = ((word >> 16) & 0x000000FF000000FF) * 0x0000271000000001;
  return (low + high) >> 32 & 0xFFFFFFFF;
}

// Appends the digits at p to significand (modulo 2^64); returns the byte after them.
inline const char* read_digits(const char* p, const char* end,
                               std::uint64_t& significand) noexcept {
  while (end - p >= 8) {
    const std::uint64_t word = load_eight(p);
    if (!are_digits(word)) break;
    significand = significand * 100000000 + value_of_eight(word);
    p += 8;
  }
  for (; p < end && is_digit(*p); ++p)
    significand = significand * 10 + static_cast<std::uint64_t>(*p - '0');
  return p;
}

// (-1)^negative * significand * 10^power
struct decimal_parts {
  std::uint64_t significand = 0;
  int power = 0;
  bool negative = false;
  bool has_point = false;
  bool has_exponent = false;
};

// The exponent at p, up to the end of the field: e5, D-05, and in some styles q5, +300.
inline bool read_exponent(const char* p, const char* end, number_style style, int& power) noexcept {
  const int letter = *p | 0x20;
  const bool has_letter = letter == 'e' || letter == 'd' || (style.as_read && letter == 'q');
  if (has_letter) ++p;
  const bool has_sign = p < end && (*p == '+' || *p == '-');
  const bool negative = has_sign && *p == '-';
  if (has_sign) ++p;
  if (!has_letter && !(has_sign && style.as_read)) return false;
  if (p == end || end - p > 4) return false;
  int exponent = 0;
  for (; p < end; ++p) {
    if (!is_digit(*p)) return false;
    exponent = exponent * 10 + (*p - '0');
  }
  power += negative ? -exponent : exponent;
  return true;
}

inline constexpr std::ptrdiff_t most_digits = 19;  // of an unsigned 64-bit integer

inline std::ptrdiff_t leading_zeros(const char* p, const char* end, char decimal) noexcept {
  std::ptrdiff_t zeros = 0;
  for (; p < end && (*p == '0' || *p == decimal); ++p) zeros += *p == '0';
  return zeros;
}

// Takes a trimmed field apart. False: not a plain number of 19 significant digits at most.
inline bool read_decimal(field_text field, number_style style, decimal_parts& parts) noexcept {
  const char decimal = style.decimal;
  const char* p = field.begin;
  if (p == field.end) return false;
  parts.negative = *p == '-';
  if (*p == '-' || *p == '+') ++p;

  const char* const first = p;
  p = read_digits(p, field.end, parts.significand);
  std::ptrdiff_t digits = p - first;
  parts.has_point = p < field.end && *p == decimal;
  if (parts.has_point) {
    const char* const fraction = ++p;
    p = read_digits(p, field.end, parts.significand);
    parts.power = static_cast<int>(fraction - p);
    digits += p - fraction;
  }
  constexpr std::ptrdiff_t sane = 1000;  // the power stays an int
  if (digits == 0 || digits > sane) return false;
  if (digits > most_digits && digits - leading_zeros(first, p, decimal) > most_digits) return false;
  parts.has_exponent = p < field.end;
  return !parts.has_exponent || read_exponent(p, field.end, style, parts.power);
}

// significand * 10^power in the usual case: a normal number, and the upper half of the product
// decides. The rest of the product adds one to it at most. False: nearest_real knows more.
template <class Real>
HEADRACE_INLINE bool round_quickly(std::uint64_t significand, int power, Real& value) noexcept {
  using format = binary_format<Real>;
  constexpr int safe_power = 340;
  if (power < -safe_power || power > safe_power || significand == 0) return false;
  const wide_power& ten = powers_of_ten[static_cast<std::size_t>(power - lowest_power)];
  const int zeros = __builtin_clzll(significand);
  const wide_product product = static_cast<wide_product>(significand << zeros) * ten.high;
  const auto upper = static_cast<std::uint64_t>(product >> 64);
  const int carry = static_cast<int>(upper >> 63);
  const int dropped = 63 + carry - format::precision;
  const std::uint64_t half = std::uint64_t{1} << (dropped - 1);
  const std::uint64_t rest = upper & (2 * half - 1);
  const int exponent = exponent_of_power(power) + 63 - zeros + carry;
  const bool is_normal = exponent >= format::lowest_exponent && exponent < format::highest_exponent;
  if (!is_normal || rest - (half - 1) < 2) return false;
  value = real_from_parts<Real>((upper >> dropped) + (rest >= half),
                                exponent - format::lowest_exponent);
  return true;
}

// False: not decided, or an infinity.
template <class Real>
HEADRACE_INLINE bool round_parts(const decimal_parts& parts, Real& value) noexcept {
  Real magnitude = 0;
  const bool rounded = round_quickly(parts.significand, parts.power, magnitude) ||
                       parts.significand == 0 ||
                       nearest_real(parts.significand, std::int64_t{parts.power}, magnitude);
  value = parts.negative ? -magnitude : magnitude;
  return rounded && magnitude <= std::numeric_limits<Real>::max();
}

template <class Real>
HEADRACE_INLINE field_state parse_real_field(field_text field, number_style style,
                                             Real& value) noexcept {
  field = trimmed(field.begin, field.end);
  decimal_parts parts;
  if (read_decimal(field, style, parts) && round_parts(parts, value)) return field_state::good;
  return parse_real(field.begin, field.end, style, value);
}

// The last n digits before end as a word, 1 to 8 of them; zeros stand for the others. The bytes
// before them can be read: there is padding.
inline std::uint64_t load_digits(const char* end, std::ptrdiff_t n) noexcept {
  constexpr std::uint64_t zeros = 0x3030303030303030;
  const std::uint64_t kept = ~std::uint64_t{0} << (8 * (8 - n));
  return ((load_eight(end - 8) ^ zeros) & kept) ^ zeros;
}

// 1 to 19 digits. False: something else is among them.
inline bool read_natural(const char* begin, const char* end, std::uint64_t& value) noexcept {
  const std::ptrdiff_t n = end - begin;
  if (n <= 8) {
    const std::uint64_t word = load_digits(end, n);
    value = value_of_eight(word);
    return are_digits(word);
  }
  constexpr std::uint64_t unit = 100000000;
  const std::uint64_t low = load_eight(end - 8);
  const std::uint64_t high = n < 16 ? load_digits(end - 8, n - 8) : load_eight(end - 16);
  bool good = are_digits(low) && are_digits(high);
  value = value_of_eight(high) * unit + value_of_eight(low);
  if (n > 16) {
    const std::uint64_t top = load_digits(end - 16, n - 16);
    good = good && are_digits(top);
    value += value_of_eight(top) * (unit * unit);
  }
  return good;
}

// A sign and 19 digits at most. False: something else.
template <class Integer>
HEADRACE_INLINE bool read_integer(field_text field, Integer& value) noexcept {
  if (field.begin == field.end) return false;
  // No branch depends on the sign.
  const bool negative = *field.begin == '-';
  const char* const first = field.begin + (negative | (*field.begin == '+'));
  const std::ptrdiff_t digits = field.end - first;
  std::uint64_t magnitude = 0;
  if (digits < 1 || digits > most_digits || !read_natural(first, field.end, magnitude))
    return false;
  if (magnitude > static_cast<std::uint64_t>(INT64_MAX) + negative) return false;
  const std::uint64_t sign = 0 - std::uint64_t{negative};
  const auto number = static_cast<std::int64_t>((magnitude ^ sign) - sign);
  value = static_cast<Integer>(number);
  return value == number;
}

template <class Integer>
field_state parse_integer_field(field_text field, Integer& value) noexcept {
  field = trimmed(field.begin, field.end);
  if (read_integer(field, value)) return field_state::good;
  return parse_integer(field.begin, field.end, sizeof value, &value);
}

// Eight hexadecimal digits, the first in the lowest byte of word; false when one is none.
inline bool value_of_eight_hexadecimal(std::uint64_t word, std::uint64_t& value) noexcept {
  constexpr std::uint64_t ones = 0x0101010101010101;
  constexpr std::uint64_t high = ones * 0x80;
  const std::uint64_t lower = word | ones * 0x20;
  // No sum of seven bits carries into the next byte.
  const std::uint64_t seven = word & ~high;
  const std::uint64_t letter = lower & ~high;
  const std::uint64_t is_number = (seven + ones * (0x80 - '0')) & ~(seven + ones * (0x7F - '9'));
  const std::uint64_t is_letter = (letter + ones * (0x80 - 'a')) & ~(letter + ones * (0x7F - 'f'));
  if ((((is_number | is_letter) & ~word) & high) != high) return false;
  std::uint64_t nibbles = (word & ones * 0x0F) + ((is_letter & ~is_number & high) >> 7) * 9;
  nibbles = __builtin_bswap64(nibbles);
  nibbles = (nibbles | nibbles >> 4) & 0x00FF00FF00FF00FF;
  nibbles = (nibbles | nibbles >> 8) & 0x0000FFFF0000FFFF;
  value = (nibbles | nibbles >> 16) & 0xFFFFFFFF;
  return true;
}

// The common cells have all their digits: 0x3F800000.
inline field_state parse_hexadecimal_field(field_text field, std::size_t elem_len,
                                           void* value) noexcept {
  field = trimmed(field.begin, field.end);
  const auto length = static_cast<std::size_t>(field.end - field.begin);
  const bool has_prefix = length > 2 && field.begin[0] == '0' && (field.begin[1] | 0x20) == 'x';
  const std::size_t digits = has_prefix ? length - 2 : length;
  if (digits == 8 && elem_len == 4) {
    std::uint64_t bits = 0;
    if (value_of_eight_hexadecimal(load_eight(field.end - 8), bits)) {
      const auto narrow = static_cast<std::uint32_t>(bits);
      std::memcpy(value, &narrow, sizeof narrow);
      return field_state::good;
    }
  } else if (digits == 16 && elem_len == 8) {
    std::uint64_t high = 0;
    std::uint64_t low = 0;
    if (value_of_eight_hexadecimal(load_eight(field.end - 16), high) &&
        value_of_eight_hexadecimal(load_eight(field.end - 8), low)) {
      const std::uint64_t bits = high << 32 | low;
      std::memcpy(value, &bits, sizeof bits);
      return field_state::good;
    }
  }
  return parse_hexadecimal_one(field.begin, field.end, elem_len, value);
}

}  // namespace headrace::scalar
