// One natural number to decimal text with ordinary instructions. Next: format_digits.hpp.
#pragma once

#include "format_digits.hpp"

namespace headrace {

// value < 10^8, without leading zeros. Stores eight bytes, whatever their number.
inline char* write_up_to_eight(char* out, std::uint64_t value) noexcept {
  const std::uint64_t digits = eight_digits(value);
  const int zeros = __builtin_ctzll(digits | (std::uint64_t{1} << 56)) >> 3;
  store_word(out, (digits | eight_zeros) >> (8 * zeros));
  return out + 8 - zeros;
}

inline char* write_all_eight(char* out, std::uint64_t value) noexcept {
  store_word(out, eight_digits(value) | eight_zeros);
  return out + 8;
}

// Without leading zeros. Below 10^8 it stores eight bytes, too.
inline char* write_natural(char* out, std::uint64_t value) noexcept {
  constexpr std::uint64_t unit = 100000000;
  if (value < unit) return write_up_to_eight(out, value);
  const std::uint64_t upper = value / unit;
  if (upper < unit) {
    out = write_up_to_eight(out, upper);
  } else {
    out = write_up_to_eight(out, upper / unit);
    out = write_all_eight(out, upper % unit);
  }
  return write_all_eight(out, value % unit);
}

}  // namespace headrace
