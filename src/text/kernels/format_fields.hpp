// Numbers into fields of a fixed width, as Fortran's E, ES, D, F, I and Z edit descriptors write
// them. Next: format_fields.cpp.
//
// Method for reals: |x| * 10^p as an integer of 17 digits at most and 64 bits of fraction, one
// multiplication by a 128-bit power of ten; the fraction rounds. Where it lies too near to a half
// (exact ties, and one value in 10^10 or so), and for stars, infinities, nan and subnormals,
// write_field decides.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace headrace {

enum class field_form : std::uint8_t {
  exponent,    // Ew.d, Dw.d: 0.12345E+01
  scientific,  // ESw.d, 1PEw.d: 1.2345E+00
  fixed,       // Fw.d
  integer,     // Iw.m
  hexadecimal  // Zw.m
};

// One data edit descriptor.
struct field_edit {
  field_form form = field_form::fixed;
  int width = 0;
  int digits = 0;            // d, or m
  int exponent_digits = -1;  // e, -1 without
  char letter = 'E';

  int significant() const noexcept { return form == field_form::scientific ? digits + 1 : digits; }
  int exponent_length() const noexcept { return exponent_digits < 0 ? 4 : exponent_digits + 2; }
  int largest_exponent() const noexcept {
    return exponent_digits == 1 ? 9 : exponent_digits == 2 ? 99 : 999;
  }
};

bool operator==(const field_edit& a, const field_edit& b) noexcept;

// Kernels write this many bytes at most from the beginning of a field on.
inline constexpr int field_window = 32;
// The most digits of a real that the kernels know.
inline constexpr int most_digits = 17;
// The most values in one call.
inline constexpr std::size_t field_block = 128;

inline constexpr int lowest_field_exponent = -340;
inline constexpr int highest_field_exponent = 340;

// Where the bytes of a field come from, for the vector tiers: index into the 32 source bytes
//   0-7 digits 2 to 9 of 17, 8-15 digits 10 to 17, 16-21 exponent, 22 sign, 23 digit 1, 31 zero
// and what is OR-ed to them.
struct field_bytes {
  alignas(32) std::array<std::uint8_t, field_window> index;
  alignas(32) std::array<std::uint8_t, field_window> text;
};

// A descriptor made ready for the kernels, with the constant text that follows the field.
struct field_layout {
  field_edit edit;
  std::uint64_t suffix = 0;  // constant text after the field, at most 8 bytes
  int suffix_length = 0;
  bool negative_fits = true;
  char positive_sign = ' ';  // what stands where a minus would stand
  int sign_position = -1;    // E, ES, D: -1 without
  field_bytes bytes;         // E, ES, D
  // F and I: by the number of digits before the point.
  std::array<field_bytes, most_digits + 1> fixed_bytes;
  // Exponent texts by exponent - lowest_field_exponent.
  std::array<std::uint64_t, highest_field_exponent - lowest_field_exponent + 1> exponents;
};

// Makes a layout; false when the kernels cannot write this field (width beyond field_window
// included). suffix has suffix_length bytes; field and suffix fit the window.
bool make_field_layout(const field_edit& edit, const char* suffix, int suffix_length,
                       field_layout& layout) noexcept;

// n <= field_block values; value i at out + offsets[i], ascending. Stores reach up to field_window
// + 8 bytes from the beginning of a field.
void format_fields(const field_layout& layout, const double* values, std::size_t n, char* out,
                   const std::uint32_t* offsets) noexcept;
void format_integer_fields(const field_layout& layout, const std::int64_t* values, std::size_t n,
                           char* out, const std::uint32_t* offsets) noexcept;
// The bits of elements, zero-extended.
void format_hexadecimal_fields(const field_layout& layout, const std::uint64_t* values,
                               std::size_t n, char* out, const std::uint32_t* offsets) noexcept;

// One field exactly, whatever the value: width bytes (any width).
void write_field(const field_edit& edit, double value, char* out) noexcept;
void write_integer_field(const field_edit& edit, std::int64_t value, char* out) noexcept;
void write_hexadecimal_field(const field_edit& edit, std::uint64_t value, char* out) noexcept;

// The tiers of format_fields.
void format_fields_portable(const field_layout& layout, const double* values, std::size_t n,
                            char* out, const std::uint32_t* offsets) noexcept;
#if defined(__x86_64__)
// I without m.
void format_integer_fields_avx512(const field_layout& layout, const std::int64_t* values,
                                  std::size_t n, char* out, const std::uint32_t* offsets) noexcept;
void format_fields_avx2(const field_layout& layout, const double* values, std::size_t n, char* out,
                        const std::uint32_t* offsets) noexcept;
void format_fields_avx512(const field_layout& layout, const double* values, std::size_t n,
                          char* out, const std::uint32_t* offsets) noexcept;
#endif

}  // namespace headrace
