// Finds the layout of a field: what is where in it. Next: parse_columns_avx512.cpp.
#include "../blanks.hpp"
#include "parse_columns.hpp"

namespace headrace {
namespace {

// The parts of a field, as numbers of bytes.
struct field_parts {
  std::uint32_t leading_digits = 0;
  std::uint32_t before_point = 0;  // with blanks and sign
  std::uint32_t decimals = 0;
  std::uint32_t letter = 0;  // 0 or 1
  std::uint32_t exponent = 0;
};

// Reads digits up to end.
std::uint32_t count_digits(const char*& p, const char* end) noexcept {
  const char* const begin = p;
  while (p < end && is_digit(*p)) ++p;
  return static_cast<std::uint32_t>(p - begin);
}

bool take_apart(const char* begin, const char* end, char decimal, field_parts& parts) noexcept {
  const char* p = begin;
  while (p < end && *p == ' ') ++p;
  if (p < end && *p == '-') ++p;
  parts.leading_digits = count_digits(p, end);
  parts.before_point = static_cast<std::uint32_t>(p - begin);
  if (p == end || *p != decimal) return false;
  ++p;
  parts.decimals = count_digits(p, end);
  if (p == end) return parts.decimals > 0;
  const int letter = *p | 0x20;
  parts.letter = letter == 'e' || letter == 'd' ? 1 : 0;
  p += parts.letter;
  if (p == end || (*p != '+' && *p != '-')) return false;
  ++p;
  parts.exponent = count_digits(p, end);
  return p == end && parts.decimals > 0 && parts.exponent - 1 < 4;
}

// All bits from one on, bit < 32.
std::uint32_t bits_up_from(std::uint32_t bit) noexcept {
  return ~std::uint32_t{0} << bit;
}

// The last n of eight bytes in a word, or all of them.
std::uint64_t last_bytes(std::uint32_t n) noexcept {
  if (n == 0) return 0;
  return n < 8 ? ~std::uint64_t{0} << (8 * (8 - n)) : ~std::uint64_t{0};
}

// Fills a layout in, from the first byte of the field on.
class layout_builder {
 public:
  layout_builder(column_layout& layout, std::uint32_t width)
      : layout_(layout), at_(layout_window - width) {
    for (std::uint32_t i = 0; i < at_; ++i) layout.range[i] = 255;
  }

  void take(char c) noexcept { allow(c, 0); }
  void take_blanks(std::uint32_t n) noexcept {
    for (; n > 0; --n) take(' ');
  }
  void take_sign(char lowest, int range, std::uint32_t place) noexcept {
    keep(place);
    allow(lowest, range);
  }
  void take_digits(std::uint32_t n, std::uint32_t place) noexcept {
    for (; n > 0; --n) {
      keep(place++);
      allow('0', 9);
    }
  }
  // Digits of the significand, from its digit number first on.
  void take_significant(std::uint32_t n, std::uint32_t first) noexcept {
    for (; n > 0; --n, ++first) take_digits(1, first < 16 ? first : first + 1);
  }

 private:
  void allow(char lowest, int range) noexcept {
    layout_.lowest[at_] = static_cast<unsigned char>(lowest);
    layout_.range[at_++] = static_cast<unsigned char>(range);
  }
  void keep(std::uint32_t place) noexcept {
    layout_.order[place] = static_cast<unsigned char>(at_);
    layout_.kept |= std::uint32_t{1} << place;
  }

  column_layout& layout_;
  std::uint32_t at_;
};

}  // namespace

column_layout find_layout(const char* end, std::uint32_t width, char decimal) noexcept {
  column_layout layout;
  field_parts parts;
  if (width > layout_window || !take_apart(end - width, end, decimal, parts)) return layout;
  if (parts.decimals > layout_digits || parts.leading_digits + parts.decimals > layout_digits)
    return layout;
  layout.has_exponent = parts.exponent != 0;
  layout.has_one_digit = layout.has_exponent && parts.leading_digits == 1 && parts.before_point > 1;

  const std::uint32_t point = layout_window - width + parts.before_point;
  layout_builder builder(layout, width);
  // Digits that a field may have before its point.
  std::uint32_t leading = 1;
  if (layout.has_one_digit) {
    layout.last_blanks = last_bytes(parts.before_point - 2);
    builder.take_blanks(parts.before_point - 2);
    builder.take_sign(' ', sign_range, place_of_sign);
    builder.take_significant(1, 0);
  } else {
    const std::uint32_t most = layout_digits - parts.decimals;
    leading = parts.before_point < most ? parts.before_point : most;
    builder.take_blanks(parts.before_point - leading);
    builder.take_significant(leading, 0);
  }
  builder.take(decimal);
  builder.take_significant(parts.decimals, leading);
  if (layout.has_exponent) {
    const char* const sign = end - parts.exponent - 1;
    if (parts.letter != 0) builder.take(sign[-1]);
    builder.take_sign('+', exponent_sign_range, place_of_exponent_sign);
    builder.take_digits(parts.exponent, place_of_exponent + 4 - parts.exponent);
  }
  layout.width = width;
  layout.most_leading = leading;
  layout.decimals = parts.decimals;
  layout.exponent = parts.exponent;
  layout.decimal = decimal;
  if (parts.letter != 0) layout.letter = *(end - parts.exponent - 2);
  layout.field = bits_up_from(layout_window - width);
  layout.before_point = layout.field & ~bits_up_from(point);
  layout.digits_before_point = layout.before_point & bits_up_from(point - leading);
  layout.power = static_cast<int>(leading) - static_cast<int>(layout_digits);
  return layout;
}

}  // namespace headrace
