// Reals into fields: choice of the tier, and the portable tier. Next: format_fields_avx512.cpp.
#include "format_tiers.hpp"

#include "format_fields_scalar.hpp"

namespace headrace {
namespace {

// The lower sixteen digits as text, the first in the lowest byte.
struct field_digits {
  char first;
  wide_word rest;
};

inline field_digits text_of(std::uint64_t value) noexcept {
  const digits17 parts = seventeen_digits(value);
  return {static_cast<char>('0' + parts.first),
          (wide_word{parts.lower | eight_zeros} << 64) | (parts.upper | eight_zeros)};
}

inline std::uint64_t bits_of(double value) noexcept {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

// count digits, after the point or around it, from the first place on.
inline void store_significant(char* out, const field_digits& digits, int count,
                              bool scientific) noexcept {
  if (!scientific) {
    if (count == most_digits) *++out = digits.first;
    const int skip = count == most_digits ? 0 : most_digits - 1 - count;
    store_wide(out + 1, digits.rest >> (8 * skip));
    return;
  }
  out[0] = count == most_digits ? digits.first
                                : static_cast<char>(digits.rest >> (8 * (most_digits - 1 - count)));
  if (count > 1) store_wide(out + 2, digits.rest >> (8 * (most_digits - count)));
}

// The same for up to eight digits.
inline void store_few_significant(char* out, std::uint64_t value, int count,
                                  bool scientific) noexcept {
  const std::uint64_t text = (eight_digits(value) | eight_zeros) >> (8 * (8 - count));
  if (!scientific) return store_word(out + 1, text);
  out[0] = static_cast<char>(text);
  if (count > 1) store_word(out + 2, text >> 8);
}

// A form with exponent; few: up to eight digits.
template <bool few>
inline void write_exponential(const field_layout& layout, const field_parts& parts,
                              char* out) noexcept {
  const int count = layout.edit.significant();
  const bool scientific = layout.edit.is_scientific();
  std::memcpy(out, layout.bytes.text.data(), field_window);
  if (layout.sign_position >= 0)
    out[layout.sign_position] = static_cast<char>(sign_text(parts.negative, layout.positive_sign));
  char* const first = out + layout.edit.width - layout.edit.exponent_length() - count - 1;
  if (few)
    store_few_significant(first, parts.digits, count, scientific);
  else
    store_significant(first, text_of(parts.digits), count, scientific);
  store_word(out + layout.edit.width - layout.edit.exponent_length(),
             layout.exponents[static_cast<std::size_t>(parts.exponent - lowest_field_exponent)]);
  store_word(out + layout.edit.width, layout.suffix);
}

// The text from the first digit before the point to the last: right-justified up to the end, with
// eighteen places filled before it.
inline void store_fixed(char* end, const field_digits& digits, int decimals, int width) noexcept {
  const int bits = 8 * (most_digits - 1 - decimals);
  const wide_word before = bits == 128 ? digits.rest : digits.rest & ((wide_word{1} << bits) - 1);
  wide_word text = before;
  char last = '.';
  if (decimals > 0) {
    text |= (wide_word{'.'} << bits) | (((digits.rest >> bits) << bits) << 8);
    last = static_cast<char>(digits.rest >> 120);
  }
  const wide_word sixteen = (text >> 8) | (wide_word{static_cast<unsigned char>(last)} << 120);
  if (width < 16) {
    store_wide(end - width, sixteen >> (8 * (16 - width)));
    return;
  }
  store_wide(end - 16, sixteen);
  if (width > 16) end[-17] = static_cast<char>(text);
  if (width > 17) end[-18] = digits.first;
}

inline void write_fixed(const field_layout& layout, const field_parts& parts, char* out) noexcept {
  const int decimals = layout.edit.digits;
  const int width = layout.edit.width;
  const bool zero = parts.before == 0 && width > decimals + 1 + parts.negative;
  const int blanks = width - parts.before - zero - 1 - decimals - parts.negative;
  store_fixed(out + width, text_of(parts.digits), decimals, width);
  std::memset(out, ' ', static_cast<std::size_t>(blanks));
  const int sign = blanks - !parts.negative;
  if (sign >= 0) out[sign] = static_cast<char>(sign_text(parts.negative, ' '));
  store_word(out + width, layout.suffix);
}

constexpr std::uint64_t eight_blanks = 0x2020202020202020U;

// Digits of which so many stand before the point, right-justified up to the end; eighteen places
// are filled, or sixteen if the text is no longer.
inline void store_general(char* end, std::uint64_t value, int decimals, int count) noexcept {
  const field_digits digits = text_of(value);
  if (decimals < most_digits) return store_fixed(end, digits, decimals, count < 15 ? 16 : 18);
  store_wide(end - 16, digits.rest);
  end[-17] = digits.first;
  end[-18] = '.';
}

// G and what * writes.
inline void write_general(const field_layout& layout, const field_parts& parts,
                          char* out) noexcept {
  const field_edit& edit = layout.edit;
  const int count = edit.significant();
  const unsigned before = general_before(edit, parts.exponent);
  if (before > static_cast<unsigned>(count)) return write_exponential<false>(layout, parts, out);
  char* const end = out + edit.width - edit.exponent_length();
  const int length = count + 1;
  const int blanks = edit.width - edit.exponent_length() - length - (before == 0);
  if (end - out >= 18) {
    store_general(end, parts.digits, count - static_cast<int>(before), count);
    for (int i = 0; i < blanks; ++i) out[i] = ' ';
  } else {
    char text[field_window];
    store_general(text + field_window, parts.digits, count - static_cast<int>(before), count);
    for (int i = 0; i < blanks; ++i) out[i] = ' ';
    std::memcpy(end - length, text + field_window - length, static_cast<std::size_t>(length));
  }
  out[blanks - 1] = static_cast<char>(sign_text(parts.negative, ' '));
  if (before == 0) out[blanks] = '0';
  store_word(end, eight_blanks);
  store_word(out + edit.width, layout.suffix);
}

inline void write_known(const field_layout& layout, double value, const field_parts& parts,
                        char* field,
                        void (*write)(const field_layout&, const field_parts&,
                                      char*) noexcept) noexcept {
  if (__builtin_expect(parts.known, 1)) return write(layout, parts, field);
  write_field(layout.edit, value, field);
  store_word(field + layout.edit.width, layout.suffix);
}

inline void format_one(const field_layout& layout, double value, char* field) noexcept {
  const int count = layout.edit.significant();
  const std::uint64_t bits = bits_of(value);
  if (layout.edit.form == field_form::fixed)
    write_known(layout, value, fixed_parts(layout, bits), field, write_fixed);
  else if (layout.edit.is_general())
    write_known(layout, value, exponential_parts(layout, bits, count), field, write_general);
  else if (count <= 8)
    write_known(layout, value, exponential_parts(layout, bits, count), field,
                write_exponential<true>);
  else
    write_known(layout, value, exponential_parts(layout, bits, count), field,
                write_exponential<false>);
}

// So few values that the arrays of the next function cost more than they save.
void format_few(const field_layout& layout, const double* values, std::size_t n, char* out,
                const std::uint32_t* offsets) noexcept {
  for (std::size_t i = 0; i < n; ++i) format_one(layout, values[i], out + offsets[i]);
}

template <void (*write)(const field_layout&, const field_parts&, char*) noexcept>
void write_parts(const field_layout& layout, const double* values, const field_parts* parts,
                 std::size_t n, char* out, const std::uint32_t* offsets) noexcept {
  for (std::size_t i = 0; i < n; ++i)
    write_known(layout, values[i], parts[i], out + offsets[i], write);
}

// One G0 whose digits are known.
inline char* pack(const field_layout& layout, const field_parts& parts, char* out) noexcept {
  const int count = layout.edit.significant();
  const unsigned before = static_cast<unsigned>(parts.exponent);
  const bool exponential = before > static_cast<unsigned>(count);
  const int decimals = exponential ? count : count - parts.exponent;
  *out = '-';
  out += parts.negative;
  *out = '0';
  out += decimals == count;
  char text[2 * field_window] = {};
  store_general(text + field_window, parts.digits, decimals, count);
  std::memcpy(out, text + field_window - count - 1, 18);
  out += count + 1;
  if (!exponential) return out;
  const std::uint64_t exponent =
      layout.exponents[static_cast<std::size_t>(parts.exponent - lowest_field_exponent)];
  store_word(out, exponent);
  return out + (71 - __builtin_clzll(exponent)) / 8;
}

}  // namespace

void format_field(const field_layout& layout, double value, char* out) noexcept {
  format_one(layout, value, out);
}

char* format_packed(const field_layout& layout, double value, char* out) noexcept {
  const field_parts parts = exponential_parts(layout, bits_of(value), layout.edit.significant());
  if (__builtin_expect(parts.known, 1)) return pack(layout, parts, out);
  return write_packed(layout.edit, value, out);
}

char* format_packed(const field_layout& layout, const double* values, std::size_t n,
                    const char* separators, char* out) noexcept {
#if defined(__x86_64__)
  if (n > few_values && current_tier() == simd_tier::avx512)
    return format_packed_avx512(layout, values, n, separators, out);
#endif
  for (std::size_t i = 0; i < n; ++i) {
    out = format_packed(layout, values[i], out);
    *out++ = separators[i];
  }
  return out;
}

void format_fields_portable(const field_layout& layout, const double* values, std::size_t n,
                            char* out, const std::uint32_t* offsets) noexcept {
  if (n <= few_values) return format_few(layout, values, n, out, offsets);
  // First the numbers, then the text: shorter chains, so that more of them are in flight.
  field_parts parts[field_block];
  const bool fixed = layout.edit.form == field_form::fixed;
  const int count = layout.edit.significant();
  for (std::size_t i = 0; i < n; ++i)
    parts[i] = fixed ? fixed_parts(layout, bits_of(values[i]))
                     : exponential_parts(layout, bits_of(values[i]), count);
  const auto write = fixed                      ? write_parts<write_fixed>
                     : layout.edit.is_general() ? write_parts<write_general>
                     : count <= 8               ? write_parts<write_exponential<true>>
                                                : write_parts<write_exponential<false>>;
  write(layout, values, parts, n, out, offsets);
}

void format_fields(const field_layout& layout, const double* values, std::size_t n, char* out,
                   const std::uint32_t* offsets) noexcept {
  if (n <= few_values) return format_few(layout, values, n, out, offsets);
#if defined(__x86_64__)
  if (current_tier() == simd_tier::avx512)
    return format_fields_avx512(layout, values, n, out, offsets);
  if (current_tier() == simd_tier::avx2) return format_fields_avx2(layout, values, n, out, offsets);
#endif
  format_fields_portable(layout, values, n, out, offsets);
}

}  // namespace headrace
