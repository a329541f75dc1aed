// One number from one field. Next: decimal_to_binary.hpp rounds.
#include "parse_one.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <system_error>

#include "decimal_to_binary.hpp"
#include "number_types.hpp"
#include "parse_numbers_scalar.hpp"

namespace headrace {
namespace {

using scalar::is_blank;  // a field may follow an empty line
using scalar::is_digit;

constexpr bool is_little_endian = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;

char lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

void trim(const char*& begin, const char*& end) noexcept {
  const scalar::field_text text = scalar::trimmed(begin, end);
  begin = text.begin;
  end = text.end;
}

// Whether the text begins with a word in lower case; moves behind it.
bool skip_word(const char*& begin, const char* end, const char* word) noexcept {
  const char* p = begin;
  for (; *word != '\0'; ++word, ++p)
    if (p == end || lower(*p) != *word) return false;
  begin = p;
  return true;
}

// The digits of a decimal number, taken apart.
struct decimal_number {
  const char* begin = nullptr;    // digits and at most one decimal symbol
  const char* end = nullptr;      // behind them
  std::uint64_t significand = 0;  // of the first 19 significant digits
  std::int64_t power = 0;         // of ten, for the significand
  bool truncated = false;         // digits other than zero were left out
};

// Reads digits with a decimal symbol; false when there is no digit.
bool read_digits(const char*& p, const char* end, number_style style,
                 decimal_number& number) noexcept {
  number.begin = p;
  int significant = 0;
  bool any = false;
  bool fraction = false;
  while (p < end) {
    if (number.significand != 0 && significant <= 11 && end - p >= 8 &&
        scalar::are_digits(scalar::load_eight(p))) {
      number.significand =
          number.significand * 100000000 + scalar::value_of_eight(scalar::load_eight(p));
      significant += 8;
      number.power -= fraction ? 8 : 0;
      any = true;
      p += 8;
      continue;
    }
    if (is_digit(*p)) {
      const auto digit = static_cast<unsigned>(*p - '0');
      any = true;
      if (significant < 19) {
        number.significand = number.significand * 10 + digit;
        significant += number.significand != 0;
        number.power -= fraction;
      } else {
        number.truncated = number.truncated || digit != 0;
        number.power += !fraction;
      }
    } else if (!fraction && (*p == style.decimal || (style.as_read && *p == '.'))) {
      fraction = true;
    } else {
      break;
    }
    ++p;
  }
  number.end = p;
  return any;
}

// Reads what stands behind the digits: nothing, e5, e+5, D-5, and in some styles q5, +5.
bool read_exponent(const char* p, const char* end, number_style style,
                   std::int64_t& power) noexcept {
  if (p == end) return true;
  const char letter = lower(*p);
  const bool has_letter = letter == 'e' || letter == 'd' || (style.as_read && letter == 'q');
  if (has_letter) ++p;
  bool negative = false;
  if (p < end && (*p == '+' || *p == '-')) {
    negative = *p == '-';
    ++p;
  } else if (!has_letter) {
    return false;
  }
  if (p == end || !(has_letter || style.as_read)) return false;
  constexpr std::int64_t enough = std::int64_t(1) << 56;  // beyond the digits of any text
  std::int64_t exponent = 0;
  for (; p < end; ++p) {
    if (!is_digit(*p)) return false;
    if (exponent < enough) exponent = exponent * 10 + (*p - '0');
  }
  power += negative ? -exponent : exponent;
  return true;
}

// The exact way: up to 800 digits decide, for the longest tie has 767.
template <class Real>
Real round_exactly(const decimal_number& number) noexcept {
  constexpr int most_digits = 800;
  char text[most_digits + 32];
  char* out = text;
  bool more = false;
  int digits = 0;
  for (const char* p = number.begin; p < number.end; ++p) {
    if (!is_digit(*p) || (digits == 0 && *p == '0')) continue;
    if (digits < most_digits)
      *out++ = *p;
    else
      more = more || *p != '0';
    ++digits;
  }
  // number.power belongs to the first 19 digits, the text has more of them.
  std::int64_t power = number.power;
  if (digits > 19) power -= (digits < most_digits ? digits : most_digits) - 19;
  if (more) {
    *out++ = '1';
    --power;
  }
  constexpr std::int64_t limit = 5000;
  const std::int64_t clamped = power < -limit ? -limit : power > limit ? limit : power;
  *out++ = 'e';
  out = std::to_chars(out, text + sizeof text, clamped).ptr;

  Real value = 0;
  const std::from_chars_result result = std::from_chars(text, out, value);
  if (result.ec == std::errc::result_out_of_range) {
    const bool large = clamped + (out - text) > 0;
    return large ? std::numeric_limits<Real>::infinity() : Real(0);
  }
  return value;
}

template <class Real>
Real round_number(const decimal_number& number) noexcept {
  using format = binary_format<Real>;
  if (number.significand == 0) return 0;
  constexpr std::uint64_t exact_integer = std::uint64_t(1) << format::precision;
  if (number.power == 0 && number.significand <= exact_integer && !number.truncated)
    return static_cast<Real>(number.significand);
  Real low = 0;
  if (!nearest_real(number.significand, number.power, low)) return round_exactly<Real>(number);
  if (!number.truncated) return low;
  Real high = 0;
  const bool decided = nearest_real(number.significand + 1, number.power, high);
  return decided && low == high ? low : round_exactly<Real>(number);
}

// inf, infinity, nan, nan(letters)
template <class Real>
bool read_special(const char* p, const char* end, Real& value) noexcept {
  if (skip_word(p, end, "inf")) {
    skip_word(p, end, "inity");
    value = std::numeric_limits<Real>::infinity();
    return p == end;
  }
  if (!skip_word(p, end, "nan")) return false;
  value = std::numeric_limits<Real>::quiet_NaN();
  if (p == end) return true;
  if (*p != '(' || end[-1] != ')') return false;
  for (++p; p < end - 1; ++p)
    if (is_blank(*p) || std::strchr(",;/)\n", *p) != nullptr) return false;
  return true;
}

int hexadecimal_digit(char c) noexcept {
  if (is_digit(c)) return c - '0';
  const char letter = lower(c);
  return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

}  // namespace

template <class Real>
field_state parse_real(const char* begin, const char* end, number_style style,
                       Real& value) noexcept {
  trim(begin, end);
  if (begin == end) return field_state::empty;
  const char* p = begin;
  const bool negative = *p == '-';
  if (negative || *p == '+') ++p;
  Real magnitude = 0;
  decimal_number number;
  field_state state = field_state::good;
  if (read_digits(p, end, style, number)) {
    if (!read_exponent(p, end, style, number.power)) return field_state::not_a_number;
    magnitude = round_number<Real>(number);
    if (magnitude > std::numeric_limits<Real>::max()) state = field_state::too_large;
  } else if (number.begin != number.end || !read_special(p, end, magnitude)) {
    return field_state::not_a_number;
  }
  value = negative ? -magnitude : magnitude;
  return state;
}

#define HEADRACE_INSTANTIATE(REAL) \
  template field_state parse_real(const char*, const char*, number_style, REAL&) noexcept;
HEADRACE_FOR_REALS(HEADRACE_INSTANTIATE)

void store_bits(std::uint64_t bits, std::size_t elem_len, void* value) noexcept {
  const auto* const bytes = reinterpret_cast<const char*>(&bits);
  std::memcpy(value, is_little_endian ? bytes : bytes + sizeof bits - elem_len, elem_len);
}

field_state parse_integer(const char* begin, const char* end, std::size_t elem_len,
                          void* value) noexcept {
  trim(begin, end);
  if (begin == end) return field_state::empty;
  const bool negative = *begin == '-';
  if (negative || *begin == '+') ++begin;
  if (begin == end) return field_state::not_a_number;
  const std::uint64_t limit =
      (std::uint64_t(1) << (8 * elem_len - 1)) - (negative ? std::uint64_t(0) : std::uint64_t(1));
  std::uint64_t magnitude = 0;
  bool overflow = false;
  for (const char* p = begin; p < end; ++p) {
    if (!is_digit(*p)) return field_state::not_a_number;
    const auto digit = static_cast<std::uint64_t>(*p - '0');
    overflow = overflow || magnitude > (limit - digit) / 10;
    magnitude = overflow ? 0 : magnitude * 10 + digit;
  }
  if (overflow) return field_state::too_large;
  store_bits(negative ? 0 - magnitude : magnitude, elem_len, value);
  return field_state::good;
}

field_state parse_logical(const char* begin, const char* end, bool& value) noexcept {
  trim(begin, end);
  if (begin == end) return field_state::empty;
  if (*begin == '.') ++begin;
  const char letter = begin == end ? '\0' : lower(*begin);
  if (letter != 't' && letter != 'f') return field_state::not_a_number;
  value = letter == 't';
  return field_state::good;
}

field_state parse_logical_word(const char* begin, const char* end, bool& value) noexcept {
  trim(begin, end);
  const char* word_end = end;
  const char* word = begin;
  if (word < word_end && *word == '.') {
    ++word;
    if (word < word_end && word_end[-1] == '.') --word_end;
  }
  for (const char* const known : {"t", "true", "f", "false"}) {
    const char* p = word;
    if (skip_word(p, word_end, known) && p == word_end) {
      value = known[0] == 't';
      return field_state::good;
    }
  }
  return begin == end ? field_state::empty : field_state::not_a_number;
}

field_state parse_hexadecimal_one(const char* begin, const char* end, std::size_t elem_len,
                                  void* value) noexcept {
  trim(begin, end);
  if (begin == end) return field_state::empty;
  if (end - begin > 2 && begin[0] == '0' && lower(begin[1]) == 'x') begin += 2;
  for (const char* p = begin; p < end; ++p)
    if (hexadecimal_digit(*p) < 0) return field_state::not_a_number;
  const auto digits = static_cast<std::size_t>(end - begin);
  if (digits > 2 * elem_len) return field_state::too_large;

  unsigned char bytes[16] = {};  // the lowest first
  for (std::size_t i = 0; i < digits; ++i) {
    const auto digit = static_cast<unsigned>(hexadecimal_digit(end[-1 - static_cast<int>(i)]));
    bytes[i / 2] = static_cast<unsigned char>(bytes[i / 2] | digit << (i % 2 * 4));
  }
  if (!is_little_endian) std::reverse(bytes, bytes + elem_len);
  std::memcpy(value, bytes, elem_len);
  return field_state::good;
}

}  // namespace headrace
