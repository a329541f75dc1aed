// The shortest decimal text of reals: choice of the tier, and the portable tier.
// Next: format_shortest_avx512.cpp.
#include "format_shortest.hpp"

#include <cmath>

#include "format_numbers.hpp"
#include "format_shortest_scalar.hpp"
#include "number_types.hpp"

namespace headrace {
namespace {

// Sixteen digits after the first, as text, the first in the lowest byte.
struct digit_text {
  char first;
  wide_word rest;
  int count;  // digits up to the last that is not zero, the first included
};

// point + 1 digits, a point, and the other digits: 18 bytes.
inline void store_with_point(char* out, const digit_text& digits, int point) noexcept {
  const int bits = 8 * point;
  const wide_word before = digits.rest & ((wide_word{1} << bits) - 1);
  out[0] = digits.first;
  store_wide(out + 1, before | (wide_word{'.'} << bits) | (((digits.rest >> bits) << bits) << 8));
  out[17] = static_cast<char>(digits.rest >> 120);
}

// A first digit from 10^-4 to 10^6. Where the point lies cannot be foreseen: no branches.
HEADRACE_INLINE char* lay_out_common(char* out, const digit_text& digits, int exponent) noexcept {
  const auto lower = static_cast<std::uint64_t>(digits.rest);
  const auto upper = static_cast<std::uint64_t>(digits.rest >> 64);
  const int fraction = exponent >> 31;  // all bits set below 1
  const std::uint64_t shifted = ~static_cast<std::uint64_t>(std::int64_t{fraction});
  const int bits = 8 * (exponent & ~fraction);
  const std::uint64_t behind = (~std::uint64_t{0} << bits) & shifted;
  store_word(out, 0x3030303030302E30U);  // "0.000000"
  char* const start = out + ((1 - exponent) & fraction);
  start[0] = digits.first;
  const std::uint64_t moved = lower & behind;
  const std::uint64_t point = (std::uint64_t{'.'} << bits) & shifted;
  store_word(start + 1, (lower & ~behind) | point | (moved << 8));
  store_word(start + 9, (upper << (8 & shifted)) | (moved >> 56));
  start[17] = static_cast<char>(upper >> 56);
  const int least = exponent + 2;
  const int fixed = (digits.count > least ? digits.count : least) + 1;
  return start + ((fixed & ~fraction) | (digits.count & fraction));
}

// The first digit has the weight 10^exponent.
HEADRACE_INLINE char* lay_out(char* out, const digit_text& digits, int exponent) noexcept {
  if (exponent >= lowest_fixed && exponent < 7) return lay_out_common(out, digits, exponent);
  if (exponent >= 0 && exponent <= highest_fixed) {
    store_with_point(out, digits, exponent);
    return out + (digits.count > exponent + 2 ? digits.count : exponent + 2) + 1;
  }
  if (exponent < 0 && exponent >= lowest_fixed) {
    store_word(out, 0x3030303030302E30U);  // "0.000000"
    out += 1 - exponent;
    out[0] = digits.first;
    store_wide(out + 1, digits.rest);
    return out + digits.count;
  }
  store_with_point(out, digits, 0);
  out += digits.count == 1 ? 1 : digits.count + 1;
  const std::uint64_t text = exponent_texts[static_cast<std::size_t>(exponent - lowest_exponent)];
  store_word(out, text);
  return out + (text >> 56);
}

inline char* write_decimal(char* out, std::uint64_t digits, int exponent) noexcept {
  const digits17 parts = seventeen_digits(digits);
  const int zeros =
      parts.lower == 0 ? 8 + trailing_zeros(parts.upper) : trailing_zeros(parts.lower);
  return lay_out(
      out,
      {static_cast<char>('0' + parts.first),
       (wide_word{parts.lower | eight_zeros} << 64) | (parts.upper | eight_zeros), 17 - zeros},
      exponent);
}

inline char* write_short(char* out, float value) noexcept {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  *out = '-';
  char* const start = out + (bits >> 31);
  bits &= ~std::uint32_t{0} >> 1;
  if (bits == 0) return write_decimal(start, 0, 0);
  if ((bits >> 23) - 1 > 253) return shortest_exact(out, value);
  const short_decimal decimal = shortest_decimal(bits);
  if (!decimal.known) return shortest_exact(out, value);
  const bool up_to_eight = decimal.digits < 100000000;
  const bool seven = decimal.digits < 10000000;
  const std::uint64_t eight = seven ? decimal.digits * 10 : decimal.digits;
  const std::uint64_t nine = up_to_eight ? eight * 10 : eight;
  const std::uint64_t first = nine / 100000000;
  const std::uint64_t rest = eight_digits(nine - first * 100000000);
  return lay_out(start,
                 {static_cast<char>('0' + first),
                  (wide_word{eight_zeros} << 64) | (rest | eight_zeros), 9 - trailing_zeros(rest)},
                 decimal.exponent + 8 - up_to_eight - seven);
}

// The digits of a value without its sign.
HEADRACE_INLINE short_decimal decimal_of(double value) noexcept {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  bits &= ~std::uint64_t{0} >> 1;
  if (bits == 0) return {0, 0, true};
  if ((bits >> 52) - 1 > 2045) return {0, 0, false};
  const short_decimal decimal = shortest_decimal(bits);
  const normalised_decimal full = normalise<double>(decimal);
  return {full.digits, full.exponent, decimal.known};
}

HEADRACE_INLINE char* write_value(char* out, double value, const short_decimal& decimal) noexcept {
  *out = '-';
  return __builtin_expect(decimal.known, 1)
             ? write_decimal(out + std::signbit(value), decimal.digits, decimal.exponent)
             : shortest_exact(out, value);
}

inline char* write_one(char* out, double value) noexcept {
  return write_value(out, value, decimal_of(value));
}
inline char* write_one(char* out, float value) noexcept {
  return write_short(out, value);
}

// So few values that vectors cost more than they save.
template <class Real>
char* format_few(char* out, const Real* values, std::size_t n, const char* separators) noexcept {
  for (std::size_t i = 0; i < n; ++i) {
    out = write_one(out, values[i]);
    *out++ = separators[i];
  }
  return out;
}

}  // namespace

template <class Real>
char* format_shortest_portable(char* out, const Real* values, std::size_t n,
                               const char* separators) noexcept {
  if constexpr (sizeof(Real) == sizeof(double)) {
    // First the numbers, then the text: shorter chains, so that more of them are in flight.
    constexpr std::size_t block = 64;
    short_decimal decimals[block];
    for (; n > 0;) {
      const std::size_t count = n < block ? n : block;
      for (std::size_t i = 0; i < count; ++i) decimals[i] = decimal_of(values[i]);
      for (std::size_t i = 0; i < count; ++i) {
        out = write_value(out, values[i], decimals[i]);
        *out++ = separators[i];
      }
      n -= count;
      values += count;
      separators += count;
    }
    return out;
  } else {
    return format_few(out, values, n, separators);
  }
}

template <class Real>
char* format_shortest(char* out, const Real* values, std::size_t n,
                      const char* separators) noexcept {
#if defined(__x86_64__)
  if (n <= few_values) return format_few(out, values, n, separators);
  if (current_tier() == simd_tier::avx512)
    return format_shortest_avx512(out, values, n, separators);
  if (current_tier() == simd_tier::avx2) return format_shortest_avx2(out, values, n, separators);
#endif
  return format_shortest_portable(out, values, n, separators);
}

#define HEADRACE_INSTANTIATE(REAL)                                                       \
  template char* format_shortest(char*, const REAL*, std::size_t, const char*) noexcept; \
  template char* format_shortest_portable(char*, const REAL*, std::size_t, const char*) noexcept;
HEADRACE_FOR_REALS(HEADRACE_INSTANTIATE)

}  // namespace headrace
