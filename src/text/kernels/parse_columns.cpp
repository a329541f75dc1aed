// Finds the layout of columns, what is where in their fields, and reads by it while they have it.
// Next: parse_columns_avx512.cpp.
#include "parse_columns.hpp"

#include "../../core/blanks.hpp"
#include "number_types.hpp"

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

// ---- reads by a layout while there is one ----

namespace {

constexpr int few_fields = 8;  // not worth a second look at the whole block
constexpr unsigned most_failures = 2;
constexpr unsigned blocks_of_pause = 15;  // if a layout brings nothing

// From field i of the block, unless the kernel has to look at what the field lacks.
void find_layout_of(const column_block& columns, std::size_t i, known_layout& known) noexcept {
  known.layout = find_layout(columns.text + columns.ends[i], columns.widths[i], columns.decimal);
  if (!known.layout.has_exponent && columns.needs_exponent) known.layout = {};
  if (!known.layout) known.pause = blocks_of_pause;
}

// Reads the fields whose bits are set one by one; returns the bits of those that are not plain.
template <class Real>
std::uint64_t parse_each(column_block columns, std::uint64_t unclear, Real* values) noexcept {
  std::uint64_t result = 0;
  columns.n = 1;
  const std::uint32_t* const ends = columns.ends;
  const std::uint32_t* const widths = columns.widths;
  for (; unclear != 0; unclear &= unclear - 1) {
    const int i = __builtin_ctzll(unclear);
    columns.ends = ends + i;
    columns.widths = widths + i;
    result |= portable::parse_real_columns(columns, values + i) << i;
  }
  return result;
}

template <class Real>
std::uint64_t parse_with(const column_layout& layout, const column_block& columns,
                         Real* values) noexcept {
  const layout_block block{columns.text, columns.ends};
#if defined(__x86_64__)
  const simd_tier tier = current_tier();
  if (tier == simd_tier::avx512) return avx512::parse_layout(block, layout, values);
  if (tier == simd_tier::avx2) return avx2::parse_layout(block, layout, values);
#endif
  return portable::parse_layout(block, layout, values);
}

// More bits than n.
bool are_more(std::uint64_t bits, int n) noexcept {
  for (; bits != 0 && n >= 0; --n) bits &= bits - 1;
  return n < 0;
}

}  // namespace

bool has_line_feeds([[maybe_unused]] const char* text, [[maybe_unused]] std::size_t bytes,
                    [[maybe_unused]] std::size_t n) noexcept {
#if defined(__x86_64__)
  return current_tier() == simd_tier::avx512 && avx512::count_line_feeds(text, bytes) == n;
#else
  return false;
#endif
}

template <class Real>
std::uint64_t parse_columns_alike(const column_block& columns, known_layout& known,
                                  Real* values) noexcept {
  if (columns.n < layout_fields) return parse_columns(columns, values);
  if (known.pause > 0) {
    --known.pause;
    return parse_columns(columns, values);
  }
  if (!known.layout) find_layout_of(columns, 0, known);
  if (!known.layout) return parse_columns(columns, values);
  const std::uint64_t unclear = parse_with(known.layout, columns, values);
  if (!are_more(unclear, few_fields)) {
    known.failures = 0;
    return parse_each(columns, unclear, values);
  }
  if (++known.failures > most_failures) known.pause = blocks_of_pause;
  find_layout_of(columns, static_cast<std::size_t>(__builtin_ctzll(unclear)), known);
  return parse_columns(columns, values);
}

#define HEADRACE_INSTANTIATE(REAL) \
  template std::uint64_t parse_columns_alike(const column_block&, known_layout&, REAL*) noexcept;
HEADRACE_FOR_REALS(HEADRACE_INSTANTIATE)

}  // namespace headrace
