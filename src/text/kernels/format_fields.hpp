// Numbers into fields of a fixed width, as Fortran's E, ES, D, F, I and Z edit descriptors write
// them. Next: format_fields.cpp.
//
// Method for reals: |x| * 10^p as an integer of 17 digits at most and 64 bits of fraction, one
// multiplication by a 128-bit power of ten; the fraction rounds. If it lies too near to a half
// (exact ties, and one value in 10^10 or so), and for stars, infinities, nan and subnormals,
// write_field decides.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace headrace {

enum class field_form : std::uint8_t {
  exponent,       // Ew.d, Dw.d: 0.12345E+01
  scientific,     // ESw.d, 1PEw.d: 1.2345E+00
  fixed,          // Fw.d
  integer,        // Iw.m
  hexadecimal,    // Zw.m
  general,        // Gw.d: F, or 0.12345E+01
  list_directed,  // what * writes, its blank in front included: F, or 1.2345E+00
};

// One data edit descriptor.
struct field_edit {
  field_form form = field_form::fixed;
  int width = 0;
  int digits = 0;            // d, or m
  int exponent_digits = -1;  // e, -1 without
  char letter = 'E';
  bool single = false;  // G rounds in the arithmetic of the value's kind: a real32

  bool is_general() const noexcept {
    return form == field_form::general || form == field_form::list_directed;
  }
  // Whether exponents belong to one digit before the point.
  bool is_scientific() const noexcept {
    return form == field_form::scientific || form == field_form::list_directed;
  }
  int significant() const noexcept { return digits + is_scientific(); }
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

// What list-directed output makes of a real of 4 or 8 bytes and of an integer of 1, 2, 4 or 8.
field_edit list_directed_real(std::size_t bytes) noexcept;
field_edit list_directed_integer(std::size_t bytes) noexcept;

// A descriptor made ready for the kernels, with the constant text that follows the field.
struct field_layout {
  field_edit edit;
  std::uint64_t suffix = 0;  // constant text after the field, at most 8 bytes
  int suffix_length = 0;
  bool negative_fits = true;
  char positive_sign = ' ';  // what stands where a minus would stand
  int sign_position = -1;    // E, ES, D: -1 without
  field_bytes bytes;         // E, ES, D
  // F and G: by the number of digits before the point.
  std::array<field_bytes, most_digits + 1> fixed_bytes;
  // E, ES, D and G: exponent texts by exponent - lowest_field_exponent. They are never freed.
  const std::uint64_t* exponents = nullptr;
};

// Makes a layout; false when the kernels cannot write this field (width beyond field_window
// included). suffix has suffix_length bytes; field and suffix fit the window.
bool make_field_layout(const field_edit& edit, const char* suffix, int suffix_length,
                       field_layout& layout) noexcept;

// One field and its suffix, for callers that have one value at a time. Stores reach as far as
// those of format_fields.
void format_field(const field_layout& layout, double value, char* out) noexcept;
void format_integer_field(const field_layout& layout, std::int64_t value, char* out) noexcept;

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

// G0 and G0.d: edit.form is general, its width does not matter, exponent_digits 0 is as many as
// need be. False when there is no kernel. Such a layout is for the next two functions alone.
bool make_packed_layout(const field_edit& edit, field_layout& layout) noexcept;
// The longest text, -0.12345678901234567E-308.
inline constexpr int longest_packed = 25;
// One value; returns the end. out needs field_window + 1 bytes.
char* format_packed(const field_layout& layout, double value, char* out) noexcept;
// Any number of values, each followed by its own separator: out needs n * (longest_packed + 1) +
// field_window bytes. I0 is format_integers of format_numbers.hpp.
char* format_packed(const field_layout& layout, const double* values, std::size_t n,
                    const char* separators, char* out) noexcept;
// Any value.
char* write_packed(const field_edit& edit, double value, char* out) noexcept;

}  // namespace headrace
