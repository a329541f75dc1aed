// The slow path of the fields: any value, any width; std::to_chars rounds.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "format_fields.hpp"
#include "format_fields_scalar.hpp"

namespace headrace {
namespace {

// The text of a number, put together before its place in the field is known.
class number_text {
 public:
  void add(char c) noexcept { text_[size_++] = c; }
  void add(const char* text, std::size_t length) noexcept {
    std::memcpy(text_ + size_, text, length);
    size_ += length;
  }
  void add_natural(unsigned value, int least_digits) noexcept {
    char digits[12];
    const auto count = std::to_chars(digits, digits + sizeof digits, value).ptr - digits;
    for (auto zeros = least_digits - count; zeros > 0; --zeros) add('0');
    add(digits, static_cast<std::size_t>(count));
  }
  // Right-justified, or stars.
  void place(char* out, int width) const noexcept {
    const auto room = static_cast<std::size_t>(width);
    if (size_ > room) {
      std::memset(out, '*', room);
      return;
    }
    std::memset(out, ' ', room - size_);
    std::memcpy(out + room - size_, text_, size_);
  }
  std::size_t size() const noexcept { return size_; }

 private:
  char text_[512];
  std::size_t size_ = 0;
};

// As gfortran: "Infinity" if it has room with its minus, "Inf" else.
void write_special(bool is_nan, bool negative, int width, char* out) noexcept {
  number_text text;
  if (negative && !is_nan) text.add('-');
  if (is_nan)
    text.add("NaN", 3);
  else if (width >= 8 + negative)
    text.add("Infinity", 8);
  else
    text.add("Inf", 3);
  text.place(out, width);
}

void write_fixed(const field_edit& edit, bool negative, double value, char* out) noexcept {
  // More digits before the point than the field has places: log10(2) is 0.30103.
  if (value >= 1 && std::ilogb(value) * 0.30102 > edit.width) {
    std::memset(out, '*', static_cast<std::size_t>(edit.width));
    return;
  }
  char digits[400];
  const auto result =
      std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed, edit.digits);
  const auto length = static_cast<std::size_t>(result.ptr - digits);
  number_text text;
  if (negative) text.add('-');
  const bool drop_zero = digits[0] == '0' && edit.digits > 0 &&
                         length + text.size() > static_cast<std::size_t>(edit.width);
  text.add(digits + drop_zero, length - drop_zero);
  if (edit.digits == 0) text.add('.');
  text.place(out, edit.width);
}

void add_exponent(const field_edit& edit, int exponent, number_text& text) noexcept {
  const auto size = static_cast<unsigned>(std::abs(exponent));
  const char sign = exponent < 0 ? '-' : '+';
  if (edit.exponent_digits >= 0 || size < 100) text.add(edit.letter);
  text.add(sign);
  text.add_natural(size, edit.exponent_digits < 0 ? 2 : edit.exponent_digits);
}

void write_exponential(const field_edit& edit, bool negative, double value, char* out) noexcept {
  const int count = edit.significant();
  char digits[64];
  const auto result = std::to_chars(digits, digits + sizeof digits, value,
                                    std::chars_format::scientific, count - 1);
  const char* const mark = std::find(digits, result.ptr, 'e');
  const char* const rest = digits + (count > 1 ? 2 : 1);
  int exponent = 0;
  std::from_chars(mark + 2, result.ptr, exponent);
  if (mark[1] == '-') exponent = -exponent;
  const bool scientific = edit.is_scientific();
  if (!scientific && value != 0) ++exponent;
  if (std::abs(exponent) > edit.largest_exponent()) {
    std::memset(out, '*', static_cast<std::size_t>(edit.width));
    return;
  }
  number_text text;
  if (negative) text.add('-');
  if (scientific) {
    text.add(digits[0]);
    text.add('.');
  } else {
    if (edit.width > negative + 1 + count + edit.exponent_length()) text.add('0');
    text.add('.');
    text.add(digits[0]);
  }
  text.add(rest, static_cast<std::size_t>(mark - rest));
  add_exponent(edit, exponent, text);
  text.place(out, edit.width);
}

// The decimals of G with d digits, -1 for the form with exponent. As gfortran decides, in the
// arithmetic of the kind: beside powers of ten that is not always what the digits would say.
template <class Real>
int general_decimals(Real magnitude, int d) noexcept {
  if (magnitude == 0) return d - 1;
  Real highest = 1;
  for (int i = 0; i < d; ++i) highest *= 10;
  const Real down = 1 - static_cast<Real>(0.5) / highest;
  if (magnitude < static_cast<Real>(0.1 * static_cast<double>(down))) return -1;
  if (static_cast<Real>(highest - magnitude) <= static_cast<Real>(0.5)) return -1;
  int before = 0;
  for (Real power = 1; before < d && magnitude >= static_cast<Real>(power * down); power *= 10)
    ++before;
  return d - before;
}

void write_general(const field_edit& edit, bool negative, double value, char* out) noexcept {
  const int count = edit.significant();
  field_edit fixed;
  fixed.digits = edit.single ? general_decimals(static_cast<float>(value), count)
                             : general_decimals(value, count);
  if (fixed.digits < 0) return write_exponential(edit, negative, value, out);
  fixed.width = edit.width - edit.exponent_length();
  write_fixed(fixed, negative, value, out);
  std::memset(out + fixed.width, ' ', static_cast<std::size_t>(edit.exponent_length()));
}

}  // namespace

char* write_packed(const field_edit& edit, double value, char* out) noexcept {
  constexpr int width = 64;
  char field[width];
  field_edit wide = edit;
  wide.width = std::isfinite(value) ? width : 3 + (std::isinf(value) && value < 0);
  write_field(wide, value, field);
  const char* first = field;
  const char* last = field + wide.width;
  while (*first == ' ') ++first;
  while (last[-1] == ' ') --last;
  std::memcpy(out, first, static_cast<std::size_t>(last - first));
  return out + (last - first);
}

void write_field(const field_edit& edit, double value, char* out) noexcept {
  const bool negative = std::signbit(value);
  if (!std::isfinite(value)) return write_special(std::isnan(value), negative, edit.width, out);
  if (edit.form == field_form::fixed) return write_fixed(edit, negative, std::fabs(value), out);
  if (edit.is_general()) return write_general(edit, negative, std::fabs(value), out);
  write_exponential(edit, negative, std::fabs(value), out);
}

void write_integer_field(const field_edit& edit, std::int64_t value, char* out) noexcept {
  const auto bits = static_cast<std::uint64_t>(value);
  char digits[24];
  const auto count =
      std::to_chars(digits, digits + sizeof digits, value < 0 ? 0 - bits : bits).ptr - digits;
  number_text text;
  if (value == 0 && edit.digits == 0) return text.place(out, edit.width);
  if (value < 0) text.add('-');
  for (auto zeros = std::min(edit.digits, 400) - count; zeros > 0; --zeros) text.add('0');
  text.add(digits, static_cast<std::size_t>(count));
  text.place(out, edit.width);
}

void write_hexadecimal_field(const field_edit& edit, std::uint64_t value, char* out) noexcept {
  char digits[24];
  const auto count = std::to_chars(digits, digits + sizeof digits, value, 16).ptr - digits;
  number_text text;
  if (value == 0 && edit.digits == 0) return text.place(out, edit.width);
  for (auto zeros = std::min(edit.digits, 400) - count; zeros > 0; --zeros) text.add('0');
  for (auto i = 0; i < count; ++i)
    text.add(digits[i] >= 'a' ? static_cast<char>(digits[i] - 'a' + 'A') : digits[i]);
  text.place(out, edit.width);
}

// ---- rounds with whole numbers if 64 bits of fraction cannot tell a tie from its neighbours
// ----

namespace {

constexpr int exact_fives = 27;  // 5^27 < 2^63

constexpr auto make_fives() noexcept {
  std::array<std::uint64_t, exact_fives + 1> table{};
  table[0] = 1;
  for (std::size_t i = 1; i < table.size(); ++i) table[i] = table[i - 1] * 5;
  return table;
}

constexpr auto fives = make_fives();

// significand * 2^e2 * 10^power for power >= 0
bool round_product(std::uint64_t significand, int e2, int power, std::uint64_t& digits) noexcept {
  const wide_word product = wide_word{significand} * fives[static_cast<std::size_t>(power)];
  const int shift = -(e2 + power);
  if (shift < 1 || shift > 126) return false;
  const wide_word half = wide_word{1} << (shift - 1);
  const wide_word rest = product & ((half << 1) - 1);
  const wide_word whole = product >> shift;
  digits = static_cast<std::uint64_t>(whole) + (rest > half || (rest == half && (whole & 1) != 0));
  return (whole >> 63) == 0;
}

// significand * 2^e2 / unit
bool round_quotient(std::uint64_t significand, int e2, std::uint64_t unit,
                    std::uint64_t& digits) noexcept {
  const int bits = 64 - __builtin_clzll(e2 < 0 ? unit : significand);
  if (bits + (e2 < 0 ? -e2 : e2) > 63) return false;
  const std::uint64_t divisor = e2 < 0 ? unit << -e2 : unit;
  const std::uint64_t dividend = e2 < 0 ? significand : significand << e2;
  const std::uint64_t whole = dividend / divisor;
  const std::uint64_t twice = 2 * (dividend % divisor);
  digits = whole + (twice > divisor || (twice == divisor && (whole & 1) != 0));
  return true;
}

}  // namespace

bool round_exactly(double value, int power, std::uint64_t& digits) noexcept {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  const std::uint64_t significand =
      (bits & ((std::uint64_t{1} << 52) - 1)) | (std::uint64_t{1} << 52);
  const int e2 = static_cast<int>((bits >> 52) & 2047) - 1075;
  if (power >= 0) return power <= exact_fives && round_product(significand, e2, power, digits);
  if (power < -18) return false;
  return round_quotient(significand, e2, decimal_units[static_cast<std::size_t>(-power)], digits);
}

}  // namespace headrace
