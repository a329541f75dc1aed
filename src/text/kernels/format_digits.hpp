// Integers to decimal digits, eight at a time in a 64-bit word. Next: format_shortest.hpp.
//
// Method: divide and conquer inside one register. 12345678 becomes the pair 1234 | 5678, then four
// pairs of digits, then eight digits; each step is one multiplication by a rounded-up reciprocal.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

// Inlined into callers of any SIMD tier.
#define HEADRACE_INLINE inline __attribute__((always_inline))

namespace headrace {

constexpr auto make_decimal_units() noexcept {
  std::array<std::uint64_t, 20> table{1};
  for (std::size_t i = 1; i < table.size(); ++i) table[i] = table[i - 1] * 10;
  return table;
}
inline constexpr auto decimal_units = make_decimal_units();  // 10^i

inline constexpr std::uint64_t eight_zeros = 0x3030303030303030U;  // "00000000"

// value < 10^8; the first digit in the lowest byte, digits as numbers 0 to 9.
HEADRACE_INLINE std::uint64_t eight_digits(std::uint64_t value) noexcept {
  // The quotient q and the remainder r = v - q * 100 side by side: q + (r << 16) is
  // (v << 16) - q * ((100 << 16) - 1).
  const std::uint64_t upper = (value * 109951163) >> 40;  // value / 10000
  const std::uint64_t fours = (value << 32) - upper * ((std::uint64_t{10000} << 32) - 1);
  const std::uint64_t hundreds = ((fours * 10486) >> 20) & 0x0000007F0000007FU;
  const std::uint64_t twos = (fours << 16) - hundreds * ((100 << 16) - 1);
  const std::uint64_t tens = ((twos * 103) >> 10) & 0x000F000F000F000FU;
  return (twos << 8) - tens * ((10 << 8) - 1);
}

// The eight hexadecimal digits of a word, the highest in the lowest byte.
inline std::uint64_t hexadecimal_text(std::uint32_t value) noexcept {
  std::uint64_t spread = __builtin_bswap32(value);
  spread = (spread | (spread << 16)) & 0x0000FFFF0000FFFFU;
  spread = (spread | (spread << 8)) & 0x00FF00FF00FF00FFU;
  const std::uint64_t digits = ((spread >> 4) | (spread << 8)) & 0x0F0F0F0F0F0F0F0FU;
  const std::uint64_t letters = ((digits + 0x0606060606060606U) >> 4) & 0x0101010101010101U;
  return digits + eight_zeros + letters * ('A' - '9' - 1);
}

// Seventeen digits: the first one, and twice eight.
struct digits17 {
  std::uint64_t first;
  std::uint64_t upper;
  std::uint64_t lower;
};

// value < 10^17
HEADRACE_INLINE digits17 seventeen_digits(std::uint64_t value) noexcept {
  const std::uint64_t nine = value / 100000000;
  const std::uint64_t first = static_cast<std::uint32_t>(nine) / 100000000U;
  return {first, eight_digits(nine - first * 100000000), eight_digits(value - nine * 100000000)};
}

// Zero bytes at the end of a text, the highest bytes of the word; 8 for a word of zeros.
HEADRACE_INLINE int trailing_zeros(std::uint64_t digits) noexcept {
  return digits == 0 ? 8 : __builtin_clzll(digits) >> 3;
}

HEADRACE_INLINE void store_word(char* out, std::uint64_t word) noexcept {
  std::memcpy(out, &word, sizeof word);
}

using wide_word = unsigned __int128;

HEADRACE_INLINE void store_wide(char* out, wide_word word) noexcept {
  std::memcpy(out, &word, sizeof word);
}

// value / 2^count for counts from 1 to 63, which the compiler cannot assume.
HEADRACE_INLINE wide_word shift_right(wide_word value, int count) noexcept {
  const auto upper = static_cast<std::uint64_t>(value >> 64);
  const auto lower = static_cast<std::uint64_t>(value);
  return (wide_word{upper >> count} << 64) | ((upper << (64 - count)) | (lower >> count));
}

}  // namespace headrace
