// Integers and bits into fields: I and Z.
#include <algorithm>
#include <cstring>

#include "../../core/cpu.hpp"
#include "format_digits.hpp"
#include "format_fields.hpp"
#include "format_fields_scalar.hpp"

namespace headrace {
namespace {

// Right-justified digits that end at end; whole words, the first of them with leading zeros.
void store_digits(char* end, std::uint64_t value) noexcept {
  constexpr std::uint64_t unit = 100000000;
  store_word(end - 8, eight_digits(value % unit) | eight_zeros);
  if (value < unit) return;
  store_word(end - 16, eight_digits(value / unit % unit) | eight_zeros);
  if (value >= unit * unit) store_word(end - 24, eight_digits(value / unit / unit) | eight_zeros);
}

void write_integer(const field_layout& layout, std::int64_t value, char* out) noexcept {
  const int width = layout.edit.width;
  const bool negative = value < 0;
  const auto bits = static_cast<std::uint64_t>(value);
  const std::uint64_t size = negative ? 0 - bits : bits;
  const int count = size == 0 ? 1 : decimal_digits(size);
  const int blanks = width - count - negative;
  char field[2 * field_window];
  if (blanks < 0 || layout.edit.digits > count || (size == 0 && layout.edit.digits == 0)) {
    write_integer_field(layout.edit, value, out);
  } else {
    char* const end = field + 2 * field_window;
    store_digits(end, size);
    std::memset(end - count - field_window, ' ', field_window);
    end[-count - 1] = negative ? '-' : ' ';
    std::memcpy(out, end - width, static_cast<std::size_t>(width));
  }
  store_word(out + width, layout.suffix);
}

void format_portable(const field_layout& layout, const std::int64_t* values, std::size_t n,
                     char* out, const std::uint32_t* offsets) noexcept {
  for (std::size_t i = 0; i < n; ++i) write_integer(layout, values[i], out + offsets[i]);
}

// The eight hexadecimal digits of a word, the highest in the lowest byte.
std::uint64_t hexadecimal_text(std::uint32_t value) noexcept {
  std::uint64_t spread = __builtin_bswap32(value);
  spread = (spread | (spread << 16)) & 0x0000FFFF0000FFFFU;
  spread = (spread | (spread << 8)) & 0x00FF00FF00FF00FFU;
  const std::uint64_t digits = ((spread >> 4) | (spread << 8)) & 0x0F0F0F0F0F0F0F0FU;
  const std::uint64_t letters = ((digits + 0x0606060606060606U) >> 4) & 0x0101010101010101U;
  return digits + eight_zeros + letters * ('A' - '9' - 1);
}

void write_hexadecimal(const field_layout& layout, std::uint64_t value, char* out) noexcept {
  const int width = layout.edit.width;
  const int count = 16 - __builtin_clzll(value | 1) / 4;
  const int shown = std::max(count, std::min(layout.edit.digits, 16));
  if (shown > width || layout.edit.digits > 16 || layout.edit.digits == 0) {
    write_hexadecimal_field(layout.edit, value, out);
  } else {
    char field[field_window];
    std::memset(field, ' ', 16);
    store_word(field + 16, hexadecimal_text(static_cast<std::uint32_t>(value >> 32)));
    store_word(field + 24, hexadecimal_text(static_cast<std::uint32_t>(value)));
    std::memset(field + 16, ' ', static_cast<std::size_t>(16 - shown));
    std::memcpy(out, field + field_window - width, static_cast<std::size_t>(width));
  }
  store_word(out + width, layout.suffix);
}

}  // namespace

#if defined(__x86_64__)

void format_integer_fields(const field_layout& layout, const std::int64_t* values, std::size_t n,
                           char* out, const std::uint32_t* offsets) noexcept {
  if (current_tier() == simd_tier::avx512 && layout.edit.digits == 1)
    format_integer_fields_avx512(layout, values, n, out, offsets);
  else
    format_portable(layout, values, n, out, offsets);
}

#else

void format_integer_fields(const field_layout& layout, const std::int64_t* values, std::size_t n,
                           char* out, const std::uint32_t* offsets) noexcept {
  format_portable(layout, values, n, out, offsets);
}

#endif

void format_hexadecimal_fields(const field_layout& layout, const std::uint64_t* values,
                               std::size_t n, char* out, const std::uint32_t* offsets) noexcept {
  for (std::size_t i = 0; i < n; ++i) write_hexadecimal(layout, values[i], out + offsets[i]);
}

}  // namespace headrace
