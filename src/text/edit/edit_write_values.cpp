// Integers, logicals, characters and bits as text.
#include "edit_write_values.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "../kernels/format_digits.hpp"
#include "../kernels/number_types.hpp"

namespace headrace {
namespace {

constexpr std::size_t digit_room = 24;

// Decimal digits before end; returns the first of them. Zero has one.
char* digits_before(char* end, std::uint64_t value) noexcept {
  char* first = end;
  while (value >= 100000000) {
    const std::uint64_t upper = value / 100000000;
    store_word(first -= 8, eight_digits(value - upper * 100000000) | eight_zeros);
    value = upper;
  }
  const std::uint64_t digits = eight_digits(value);
  store_word(first - 8, digits | eight_zeros);
  // The first digit stands in the lowest byte.
  return first - (value == 0 ? 1 : 8 - __builtin_ctzll(digits) / 8);
}

char* fill(char* out, char c, std::size_t n) noexcept {
  std::memset(out, c, n);
  return out + n;
}

// A sign or none, zeros up to the minimum of digits, digits; stars when the field is too narrow.
char* put_digits(char* out, const edit_item& item, char sign, const char* digits,
                 std::size_t count) noexcept {
  const bool has_minimum = item.kind != edit_kind::general && item.digits > 0;
  const std::size_t minimum = has_minimum ? static_cast<std::size_t>(item.digits) : 0;
  const std::size_t zeros = minimum > count ? minimum - count : 0;
  const std::size_t needed = count + zeros + (sign != '\0' ? 1 : 0);
  const std::size_t width = item.width > 0 ? static_cast<std::size_t>(item.width) : needed;
  if (needed > width) return fill(out, '*', width);
  out = fill(out, ' ', width - needed);
  if (sign != '\0') *out++ = sign;
  out = fill(out, '0', zeros);
  std::memcpy(out, digits, count);
  return out + count;
}

// Iw.0 writes nothing of a zero.
bool is_blank_zero(const edit_item& item) noexcept {
  return item.kind != edit_kind::general && item.digits == 0;
}

char* put_blank_zero(char* out, const edit_item& item) noexcept {
  return fill(out, ' ', static_cast<std::size_t>(std::max(item.width, 1)));
}

int digit_bits(edit_kind kind) noexcept {
  switch (kind) {
    case edit_kind::binary:
      return 1;
    case edit_kind::octal:
      return 3;
    default:
      return 4;
  }
}

// The bits of a value of up to eight bytes.
std::uint64_t load_bits(const char* value, std::size_t bytes) noexcept {
  std::uint64_t bits = 0;
  std::memcpy(&bits, value, std::min(bytes, sizeof bits));
  return bits;
}

}  // namespace

std::size_t room_of(const edit_item& item, std::size_t bytes) noexcept {
  const auto size = [](int n) { return n > 0 ? static_cast<std::size_t>(n) : std::size_t{0}; };
  return size(item.width) + size(item.digits) + 8 * bytes + digit_room;
}

char* put_integer(char* out, const edit_item& item, bool plus_sign, std::int64_t value) noexcept {
  if (value == 0 && is_blank_zero(item)) return put_blank_zero(out, item);
  std::array<char, digit_room> text;
  char* const end = text.data() + text.size();
  const auto bits = static_cast<std::uint64_t>(value);
  const char* const first = digits_before(end, value < 0 ? 0 - bits : bits);
  const char sign = value < 0 ? '-' : plus_sign ? '+' : '\0';
  return put_digits(out, item, sign, first, static_cast<std::size_t>(end - first));
}

char* put_logical(char* out, const edit_item& item, bool value) noexcept {
  out = fill(out, ' ', static_cast<std::size_t>(std::max(item.width, 1) - 1));
  *out++ = value ? 'T' : 'F';
  return out;
}

char* put_characters(char* out, const edit_item& item, const char* text,
                     std::size_t bytes) noexcept {
  const std::size_t width = item.width > 0 ? static_cast<std::size_t>(item.width) : bytes;
  if (width > bytes) out = fill(out, ' ', width - bytes);
  const std::size_t count = std::min(width, bytes);
  std::memcpy(out, text, count);
  return out + count;
}

char* put_bits(char* out, const edit_item& item, const edit_dialect& dialect, const char* value,
               std::size_t bytes) noexcept {
  const int step = digit_bits(item.kind);
  const std::uint64_t bits = load_bits(value, bytes);
  // gfortran looks at no more than 32 bits here; of B it came to look at all.
  const bool all = item.kind == edit_kind::binary && dialect.has(edit_feature::binary_64);
  if ((all ? bits : static_cast<std::uint32_t>(bits)) == 0 && is_blank_zero(item))
    return put_blank_zero(out, item);
  std::array<char, 64> text;
  char* const end = text.data() + text.size();
  char* first = end;
  const std::uint64_t mask = (std::uint64_t{1} << step) - 1;
  for (std::uint64_t rest = bits; rest != 0 || first == end; rest >>= step)
    *--first = "0123456789ABCDEF"[rest & mask];
  return put_digits(out, item, '\0', first, static_cast<std::size_t>(end - first));
}

std::int64_t load_integer(const char* value, std::size_t bytes) noexcept {
  return with_integer(
      bytes, [value](auto number) -> std::int64_t { return value_at<decltype(number)>(value); });
}

double load_real(const char* value, std::size_t bytes) noexcept {
  return bytes == 8 ? value_at<double>(value) : double{value_at<float>(value)};
}

}  // namespace headrace
