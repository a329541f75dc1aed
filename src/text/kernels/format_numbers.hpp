// Numbers to text, many at a time. Kernels take contiguous values and never allocate, throw or
// fail.
//
// Every function picks the tier of current_tier(); the tiers give the same bytes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace headrace {

// Bytes that a kernel may write beyond the end of its text.
inline constexpr std::size_t format_slack = 64;

// The longest text of one value without its separator.
inline constexpr std::size_t longest_real64 = 24;  // -2.2250738585072014e-308
inline constexpr std::size_t longest_real32 = 19;  // -1234567900000000.0
inline constexpr std::size_t longest_integer = 20;

// The shortest decimal number that reads back as the same value, and the closest of them: what
// Python's repr writes, byte for byte ("1.0", "0.0001", "1e-05", "1e+16", "nan", "-inf"). Each
// value is followed by its own separator. out needs n * (longest_real64 + 1) + format_slack bytes.
// Returns the end of the text.
// Real: double or float.
template <class Real>
char* format_shortest(char* out, const Real* values, std::size_t n,
                      const char* separators) noexcept;

// Decimal integers of 1, 2, 4 or 8 bytes. out needs n * (longest_integer + 1) + format_slack bytes.
template <class Integer>
char* format_integers(char* out, const Integer* values, std::size_t n,
                      const char* separators) noexcept;

// "0x" and two digits a byte, the highest byte first: 0x3FF0000000000000 for 1.0_real64.
// out needs n * (2 * elem_len + 3) + format_slack bytes; elem_len is 1, 2, 4, 8 or 16.
char* format_hexadecimal(char* out, const void* values, std::size_t elem_len, std::size_t n,
                         const char* separators) noexcept;

}  // namespace headrace
