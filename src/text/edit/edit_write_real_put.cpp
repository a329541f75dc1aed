// The characters of a field with a real in it: blanks, sign, digits, exponent, or stars.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "edit_write_real_parts.hpp"

namespace headrace {
namespace {

// May write so many bytes more: there is room for them.
constexpr int slack = 32;

char* fill(char* out, char c, int n) noexcept {
  if (n <= 0) return out;
  if (n <= slack) {
    std::memset(out, c, slack);
    return out + n;
  }
  std::memset(out, c, static_cast<std::size_t>(n));
  return out + n;
}

char* put_text(char* out, const char* text, int n) noexcept {
  for (int i = 0; i < n; ++i) out[i] = text[i];
  return out + n;
}

}  // namespace

void real_field::set_exponent(int exponent, char letter, parts& field) const noexcept {
  if (drops_zero_exponent_ && exponent == 0) return;
  char digits[8];
  int count = 0;
  for (int rest = std::abs(exponent); rest > 0 || count == 0; rest /= 10)
    digits[count++] = static_cast<char>('0' + rest % 10);
  field.exponent_fits = exponent_digits_ <= 0 || count <= exponent_digits_;
  if (!field.exponent_fits) return;
  // Without Ee there is room for a letter and two digits, or for three digits.
  const int shown = exponent_digits_ > 0 ? exponent_digits_ : exponent_digits_ == 0 ? count : 2;
  char* text = field.exponent;
  if (exponent_digits_ != absent || count <= 2) *text++ = letter;
  *text++ = exponent < 0 ? '-' : '+';
  field.exponent_zeros = std::max(shown - count, 0);
  field.exponent_length = static_cast<int>(text - field.exponent);
  while (count > 0) field.exponent[field.exponent_length++] = digits[--count];
}

char* real_field::put(char* out, const decimal_digits& digits, parts& field) const noexcept {
  const bool has_sign = field.sign != '\0';
  const int needed =
      field.before + field.zeros + field.after + field.exponent_width() + 1 + has_sign;
  int width = field.width;
  if (width <= 0) {
    width = std::max(needed, 2);
    if (digits.count == 0 && !field.truncated)
      width = field.digits + 1 + has_sign + (field.digits == 0 ? 1 : 0);
  }
  if (no_blanks_) width = std::max(width, needed);
  int blanks = width - needed;
  const bool leading_zero = field.before == 0 && blanks > 0;
  if (leading_zero) --blanks;
  if (no_blanks_) {
    width -= blanks;
    blanks = 0;
  }
  if (blanks < 0 || !field.exponent_fits || width == 1 || (width == 2 && has_sign))
    return fill(out, '*', width + field.trailing);
  out = fill(out, ' ', blanks);
  if (has_sign) *out++ = field.sign;
  if (leading_zero) *out++ = '0';
  out = digits.copy(out, 0, field.before);
  *out++ = modes_.decimal;
  out = fill(out, '0', field.zeros);
  out = digits.copy(out, field.before, field.after);
  if (field.exponent_length > 0) {
    const int sign_end = field.exponent[0] == '+' || field.exponent[0] == '-' ? 1 : 2;
    out = put_text(out, field.exponent, sign_end);
    out = fill(out, '0', field.exponent_zeros);
    out = put_text(out, field.exponent + sign_end, field.exponent_length - sign_end);
  }
  return fill(out, ' ', field.trailing);
}

char* real_field::put_stars(char* out, int width) noexcept {
  return fill(out, '*', width);
}

// Inf and NaN. The sign of an infinity below zero must have its place.
char* real_field::write_special(char* out, bool is_nan, bool negative) const noexcept {
  const char sign = sign_of(negative);
  int width = width_;
  if (width == 0 || no_blanks_) width = is_nan || sign == '\0' ? 3 : 4;
  if (width < 3 || (!is_nan && negative && width == 3)) return fill(out, '*', width);
  char* const end = out + width;
  fill(out, ' ', width);
  if (is_nan) {
    std::memcpy(end - 3, "NaN", 3);
    return end;
  }
  const int length = width > (sign == '\0' ? 7 : 8) ? 8 : 3;
  std::memcpy(end - length, "Infinity", static_cast<std::size_t>(length));
  if (sign != '\0' && width > length) *(end - length - 1) = sign;
  return end;
}

}  // namespace headrace
