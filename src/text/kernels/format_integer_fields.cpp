// Integers and bits into fields, I and Z: choice of the tier, and the portable tier. Next:
// format_integer_fields_avx512.cpp.
#include <algorithm>
#include <cstring>

#include "format_fields.hpp"
#include "format_fields_scalar.hpp"
#include "format_integers_scalar.hpp"
#include "format_tiers.hpp"

namespace headrace {
namespace {

// The last digits or blanks of a field may go beyond its end: the suffix and the next field go over
// them.
void write_integer(const field_layout& layout, std::int64_t value, char* out) noexcept {
  const field_edit& edit = layout.edit;
  const bool negative = value < 0;
  const auto bits = static_cast<std::uint64_t>(value);
  const std::uint64_t size = negative ? 0 - bits : bits;
  const int count = size == 0 ? 1 : decimal_digits(size);
  const int shown = std::max(count, edit.digits);
  const int blanks = edit.width - shown - negative;
  if (blanks < 0 || (size == 0 && edit.digits == 0)) {
    write_integer_field(edit, value, out);
  } else {
    std::memset(out, ' ', field_window);
    out[blanks] = '-';
    char* const first = out + blanks + negative;
    // Whether there are zeros cannot be foreseen: the first eight always go there.
    store_word(first, eight_zeros);
    for (int i = 8; i < shown - count; i += 8) store_word(first + i, eight_zeros);
    write_natural(first + (shown - count), size);
  }
  store_word(out + edit.width, layout.suffix);
}

void format_portable(const field_layout& layout, const std::int64_t* values, std::size_t n,
                     char* out, const std::uint32_t* offsets) noexcept {
  for (std::size_t i = 0; i < n; ++i) write_integer(layout, values[i], out + offsets[i]);
}

void write_hexadecimal(const field_layout& layout, std::uint64_t value, char* out) noexcept {
  const field_edit& edit = layout.edit;
  const int count = 16 - __builtin_clzll(value | 1) / 4;
  const int shown = std::max(count, edit.digits);
  if (shown > edit.width || edit.digits > 16 || edit.digits == 0) {
    write_hexadecimal_field(edit, value, out);
  } else {
    std::memset(out, ' ', field_window);
    char* const digits = out + edit.width - shown;
    const std::uint64_t first = value << (4 * (16 - shown));
    store_word(digits, hexadecimal_text(static_cast<std::uint32_t>(first >> 32)));
    if (shown > 8) store_word(digits + 8, hexadecimal_text(static_cast<std::uint32_t>(first)));
  }
  store_word(out + edit.width, layout.suffix);
}

void format_portable(const field_layout& layout, const std::uint64_t* values, std::size_t n,
                     char* out, const std::uint32_t* offsets) noexcept {
  for (std::size_t i = 0; i < n; ++i) write_hexadecimal(layout, values[i], out + offsets[i]);
}

}  // namespace

void format_integer_field(const field_layout& layout, std::int64_t value, char* out) noexcept {
  write_integer(layout, value, out);
}

void format_integer_fields(const field_layout& layout, const std::int64_t* values, std::size_t n,
                           char* out, const std::uint32_t* offsets) noexcept {
#if defined(__x86_64__)
  if (n > few_values && current_tier() == simd_tier::avx512 &&
      layout.edit.digits <= most_integer_digits)
    return write_integer_fields_avx512(layout, values, n, out, offsets);
#endif
  format_portable(layout, values, n, out, offsets);
}

void format_hexadecimal_fields(const field_layout& layout, const std::uint64_t* values,
                               std::size_t n, char* out, const std::uint32_t* offsets) noexcept {
#if defined(__x86_64__)
  if (n > few_values && current_tier() == simd_tier::avx512 &&
      layout.edit.digits <= most_hexadecimal_digits)
    return write_hexadecimal_fields_avx512(layout, values, n, out, offsets);
#endif
  format_portable(layout, values, n, out, offsets);
}

}  // namespace headrace
