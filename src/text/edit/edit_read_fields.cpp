// The text of one field to a value. Next: edit_read_rounding.cpp for RU, RD and RZ.
#include "edit_read_fields.hpp"

#include <charconv>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

#include "../../core/blanks.hpp"
#include "../kernels/number_types.hpp"
#include "../kernels/parse_one.hpp"
#include "edit_read_rounding.hpp"

namespace headrace {
namespace {

char lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

void skip_blanks(std::string_view& field) noexcept {
  while (!field.empty() && field.front() == ' ') field.remove_prefix(1);
}

// True when a sign was passed over; negative says which.
bool skip_sign(std::string_view& field, bool& negative) noexcept {
  if (field.empty() || (field.front() != '-' && field.front() != '+')) return false;
  negative = field.front() == '-';
  field.remove_prefix(1);
  return true;
}

// gfortran takes no larger power of ten for the digits read as an integer.
constexpr std::int64_t largest_exponent = 9999;

bool is_word(std::string_view text, std::string_view word) noexcept {
  if (text.size() != word.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (lower(text[i]) != word[i]) return false;
  return true;
}

bool is_letter_or_digit(char c) noexcept {
  return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'z');
}

// inf, infinity, nan, nan(letters and digits). Letters and digits behind a blank do not count;
// with BZ there are no blanks.
template <class Real>
bool read_special(std::string_view field, bool blank_zero, Real& value) noexcept {
  int parentheses = 0;
  for (const char c : field) {
    if (c == '(' || c == ')') {
      if (parentheses++ != (c == '(' ? 0 : 1)) return false;
    } else if (c == ' ' ? !blank_zero && parentheses == 1 : !is_letter_or_digit(c)) {
      return false;
    }
  }
  if (field.size() < 3 || parentheses == 1) return false;
  const std::string_view word = field.substr(0, field.find_first_of(blank_zero ? "(" : " ("));
  value = std::numeric_limits<Real>::quiet_NaN();
  if (is_word(word, "nan")) return true;
  value = std::numeric_limits<Real>::infinity();
  return parentheses == 0 && (is_word(word, "inf") || is_word(word, "infinity"));
}

// Digits, with blanks as the modes say, and where the decimal symbol stands.
struct mantissa {
  bool has_symbol = false;
  std::int64_t decimals = 0;  // digits behind the symbol
};

// Appends the digits to text; stops at what is none. False at a second symbol.
bool read_mantissa(std::string_view& field, const read_modes& modes, std::string& text,
                   mantissa& result) {
  for (; !field.empty(); field.remove_prefix(1)) {
    const char c = field.front();
    if (is_digit(c) || (c == ' ' && modes.blank_zero)) {
      text += c == ' ' ? '0' : c;
      result.decimals += result.has_symbol;
    } else if (c == modes.decimal || (c == '.' && !modes.strict_decimal)) {
      if (result.has_symbol) return false;
      result.has_symbol = true;
    } else if (c != ' ') {
      return true;
    }
  }
  return true;
}

// e5, E-5, d 5, +5: what stands behind the mantissa. False when it is no exponent.
bool read_exponent(std::string_view field, const read_modes& modes, std::int64_t& exponent) {
  const char letter = lower(field.front());
  const bool has_letter = letter == 'e' || letter == 'd' || letter == 'q';
  if (has_letter) {
    field.remove_prefix(1);
    skip_blanks(field);
  }
  bool negative = false;
  const bool has_sign = skip_sign(field, negative);
  if ((!has_letter && !has_sign) || field.empty()) return false;
  exponent = 0;
  for (const char c : field) {
    if (c != ' ' && !is_digit(c)) return false;
    if (c == ' ' && !modes.blank_zero) continue;
    exponent = exponent * 10 + (c == ' ' ? 0 : c - '0');
    if (exponent > 10 * largest_exponent) return false;
  }
  if (negative) exponent = -exponent;
  return true;
}

bool is_directed(const read_modes& modes) noexcept {
  return modes.rounding == 'u' || modes.rounding == 'd' || modes.rounding == 'z';
}

// RU and RD mean the value with its sign, round_directed the value without.
char direction(const read_modes& modes, bool negative) noexcept {
  const bool away_from_zero = modes.rounding == (negative ? 'd' : 'u');
  return away_from_zero ? 'u' : 'd';
}

// A number that is written as everywhere, with its decimal point. False: the long way.
template <class Real>
bool read_plain(std::string_view field, const read_modes& modes, Real& value) noexcept {
  if (modes.decimal == ',' || modes.scale != 0 || is_directed(modes)) return false;
  if (field.find('.') == std::string_view::npos) return false;
  if (field.find('\t') != std::string_view::npos) return false;
  const char* const end = field.data() + field.size();
  const field_state state = parse_real(field.data(), end, {'.', true}, value);
  return state == field_state::good && value != 0 && value == value;
}

// The number as digits, 'e' and a power. False when it is none.
bool normalize(std::string_view field, int digits, const read_modes& modes, std::string& text) {
  text.assign("0");
  mantissa number;
  if (!read_mantissa(field, modes, text, number)) return false;
  std::int64_t exponent = -modes.scale;
  if (!field.empty() && !read_exponent(field, modes, exponent)) return false;
  if (!number.has_symbol) exponent -= digits;
  if (exponent > largest_exponent || exponent < -largest_exponent) return false;
  char power[24];
  text += 'e';
  text.append(power, std::to_chars(power, power + sizeof power, exponent - number.decimals).ptr);
  return true;
}

// Digits behind a sign or none, of a size up to largest, below zero up to lowest.
template <int Base>
field_state read_whole(std::string_view field, bool blank_zero, std::uint64_t largest,
                       std::uint64_t lowest, std::size_t elem_len, void* value,
                       std::size_t zeros) noexcept {
  store_bits(0, elem_len, value);
  skip_blanks(field);
  if (field.empty()) return field_state::good;
  bool negative = false;
  if (skip_sign(field, negative) && field.empty()) return field_state::not_a_number;
  const std::uint64_t limit = negative ? lowest : largest;
  std::uint64_t magnitude = 0;
  for (const char c : field) {
    if (c == ' ' && !blank_zero) continue;
    const char letter = lower(c);
    int digit = c == ' ' ? 0 : is_digit(c) ? c - '0' : -1;
    if (letter >= 'a' && letter <= 'f') digit = letter - 'a' + 10;
    if (digit < 0 || digit >= Base) return field_state::not_a_number;
    if (magnitude > (limit - static_cast<std::uint64_t>(digit)) / Base)
      return field_state::too_large;
    magnitude = magnitude * Base + static_cast<std::uint64_t>(digit);
  }
  for (; zeros > 0 && magnitude != 0; --zeros) {
    if (magnitude > limit / Base) return field_state::too_large;
    magnitude *= Base;
  }
  store_bits(negative ? 0 - magnitude : magnitude, elem_len, value);
  return field_state::good;
}

}  // namespace

template <class Real>
field_state read_real_field(std::string_view field, int digits, const read_modes& modes,
                            std::string& text, Real& value) {
  value = 0;
  skip_blanks(field);
  if (!field.empty() && !modes.blank_zero && read_plain(field, modes, value))
    return field_state::good;
  bool negative = false;
  skip_sign(field, negative);
  skip_blanks(field);
  value = 0;
  if (field.empty()) return field_state::good;
  const char first = lower(field.front());
  if (first == 'i' || first == 'n') {
    if (!read_special(field, modes.blank_zero, value)) return field_state::not_a_number;
  } else {
    if (!normalize(field, digits, modes, text)) return field_state::not_a_number;
    parse_real(text.data(), text.data() + text.size(), '.', value);
    if (is_directed(modes)) value = round_directed(text, value, direction(modes, negative));
  }
  if (negative) value = -value;
  return field_state::good;
}

#define HEADRACE_INSTANTIATE(REAL)                                                             \
  template field_state read_real_field(std::string_view, int, const read_modes&, std::string&, \
                                       REAL&);
HEADRACE_FOR_REALS(HEADRACE_INSTANTIATE)

field_state read_integer_field(std::string_view field, bool blank_zero, std::size_t elem_len,
                               void* value, std::size_t zeros) noexcept {
  const std::uint64_t largest = (std::uint64_t(1) << (8 * elem_len - 1)) - 1;
  return read_whole<10>(field, blank_zero, largest, largest + 1, elem_len, value, zeros);
}

field_state read_radix_field(std::string_view field, bool blank_zero, int bits,
                             std::size_t elem_len, void* value, std::size_t zeros) noexcept {
  const std::uint64_t largest = ~std::uint64_t(0) >> (64 - 8 * elem_len);
  const auto read = bits == 1 ? read_whole<2> : bits == 3 ? read_whole<8> : read_whole<16>;
  return read(field, blank_zero, largest, largest, elem_len, value, zeros);
}

field_state read_logical_field(std::string_view field, bool& value) noexcept {
  skip_blanks(field);
  if (!field.empty() && field.front() == '.') field.remove_prefix(1);
  const char letter = field.empty() ? '\0' : lower(field.front());
  value = letter == 't';
  return value || letter == 'f' ? field_state::good : field_state::not_a_number;
}

}  // namespace headrace
