// Columns of reals that all look alike, such as those of (10es24.16e3): where the point, the
// exponent and the signs stand is found once, and then only checked. Next:
// parse_columns.cpp finds and follows the layout, parse_columns_avx512.cpp and
// parse_columns_scalar.hpp read with it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "parse_numbers_tiers.hpp"

namespace headrace {

inline constexpr std::uint32_t layout_window = 32;  // a field is seen through its last 32 bytes

// Where the parts of a field go: the first sixteen digits to the places 0 to 15, three more to the
// places 17 to 19, then the signs and the exponent.
inline constexpr std::uint32_t layout_digits = 19;
inline constexpr std::uint32_t place_of_exponent_sign = 21;
inline constexpr std::uint32_t place_of_sign = 23;
inline constexpr std::uint32_t place_of_exponent = 24;  // four digits
inline constexpr int sign_range = '-' - ' ';
inline constexpr int exponent_sign_range = '-' - '+';

// Blanks, a sign or none, digits, a point, digits, and perhaps an exponent of a letter, a sign and
// digits. All that ends at the same distance from the end of the field in every field.
struct column_layout {
  // Byte i of the window is good when (byte - lowest[i]) mod 256 <= range[i].
  alignas(32) unsigned char lowest[layout_window] = {};
  alignas(32) unsigned char range[layout_window] = {};
  // Byte order[i] of the window goes to place i, if bit i of kept is set.
  alignas(32) unsigned char order[layout_window] = {};
  std::uint32_t kept = 0;
  std::uint32_t field = 0;                // bits of the window: the field,
  std::uint32_t before_point = 0;         // what stands before its point,
  std::uint32_t digits_before_point = 0;  // and where digits may stand there
  bool has_exponent = false;
  // The bytes before the point are blanks, a sign or a blank, and one digit. Otherwise any number
  // of digits may stand there.
  bool has_one_digit = false;
  int power = 0;  // of ten, that the number of 19 digits is multiplied by
  // The same once more, as numbers of bytes.
  std::uint32_t width = 0;
  std::uint32_t most_leading = 0;  // digits before the point
  std::uint32_t decimals = 0;
  std::uint32_t exponent = 0;     // digits
  std::uint64_t last_blanks = 0;  // of the eight bytes before a sign, those that are blanks
  char decimal = '.';
  char letter = 0;  // none: 0

  explicit operator bool() const noexcept { return kept != 0; }
};

// The layout of the field of width bytes before end. None when the field has none that the
// kernels know.
column_layout find_layout(const char* end, std::uint32_t width, char decimal) noexcept;

inline constexpr std::size_t layout_fields = 64;

// layout_fields fields as in column_block, all as wide as the field that the layout was found in.
struct layout_block {
  const char* text;
  const std::uint32_t* ends;
};

// Bit i of the result: field i has another layout, or is not easily rounded; values[i] is anything.
namespace portable {
template <class Real>
std::uint64_t parse_layout(const layout_block& block, const column_layout& layout,
                           Real* values) noexcept;
}  // namespace portable

#if defined(__x86_64__)
namespace avx2 {
template <class Real>
HEADRACE_AVX2 std::uint64_t parse_layout(const layout_block& block, const column_layout& layout,
                                         Real* values) noexcept;
}  // namespace avx2

namespace avx512 {
template <class Real>
HEADRACE_AVX512 std::uint64_t parse_layout(const layout_block& block, const column_layout& layout,
                                           Real* values) noexcept;
std::size_t count_line_feeds(const char* text, std::size_t bytes) noexcept;
}  // namespace avx512
#endif

// Whether a text has n line feeds. False, too, on processors that would count for long.
bool has_line_feeds(const char* text, std::size_t bytes, std::size_t n) noexcept;

// What is known from the blocks before.
struct known_layout {
  column_layout layout;
  unsigned failures = 0;  // blocks in succession that it was wrong for
  unsigned pause = 0;     // blocks to read without one
};

// parse_columns for fields of equal width, faster if they have one layout; same results. One
// block after the other, starting with an empty known_layout.
template <class Real>
std::uint64_t parse_columns_alike(const column_block& columns, known_layout& known,
                                  Real* values) noexcept;

}  // namespace headrace
