// Decimal digits of a real. Up to 19 of them come from one multiplication with the table of powers;
// if its error could change the last digit, and for more digits, std::to_chars decides.
#include "edit_write_digits.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>

#include "../kernels/format_digits.hpp"
#include "../powers_of_ten.hpp"

namespace headrace {
namespace {

constexpr int most_fast_digits = 19;

// A magnitude as significand * 2^(exponent - 63), the highest bit of the significand set.
struct binary_float {
  std::uint64_t significand;
  int exponent;
};

binary_float take_apart(double magnitude) noexcept {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &magnitude, sizeof bits);
  const int biased = static_cast<int>(bits >> 52);
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
  if (biased != 0) return {(fraction << 11) | (std::uint64_t{1} << 63), biased - 1023};
  const int zeros = __builtin_clzll(fraction);
  return {fraction << zeros, -1011 - zeros};
}

const wide_power& power_of_ten(int p) noexcept {
  return powers_of_ten[static_cast<std::size_t>(p - lowest_power)];
}

int decimal_exponent(const binary_float& number) noexcept {
  const int k = (number.exponent * 315653) >> 20;  // floor(log10(2^exponent))
  const wide_power& next = power_of_ten(k + 1);
  const int next_exponent = exponent_of_power(k + 1);
  const bool reached =
      number.exponent > next_exponent ||
      (number.exponent == next_exponent &&
       (number.significand > next.high || (number.significand == next.high && next.low == 0)));
  return reached ? k + 1 : k;
}

// magnitude * 10^p in 128 bits: below the true value by less than two units unless it is exact.
struct scaled_float {
  wide_word value;
  int fraction_bits;
  bool exact;

  std::uint64_t integer() const noexcept {
    return static_cast<std::uint64_t>(value >> fraction_bits);
  }
  wide_word fraction() const noexcept { return value & ((wide_word{1} << fraction_bits) - 1); }
  wide_word half() const noexcept { return wide_word{1} << (fraction_bits - 1); }
};

// The result is at least 1 and less than 10^19.
scaled_float scale(const binary_float& number, int p) noexcept {
  const wide_power& power = power_of_ten(p);
  const wide_word value = wide_word{number.significand} * power.high +
                          ((wide_word{number.significand} * power.low) >> 64);
  return {value, 126 - number.exponent - exponent_of_power(p), power.low == 0 && p >= 0};
}

// To nearest, ties to even; false when the error leaves it open.
bool round_to_nearest(const scaled_float& scaled, std::uint64_t& integer) noexcept {
  integer = scaled.integer();
  const wide_word fraction = scaled.fraction();
  const wide_word half = scaled.half();
  if (scaled.exact && fraction == half) {
    integer += integer & 1;
    return true;
  }
  if (!scaled.exact && fraction + 2 >= half && fraction <= half) return false;
  integer += fraction > half;
  return true;
}

// integer has n digits, or n + 1 and is 10^n: it was rounded up to it.
void store_integer(std::uint64_t integer, int n, int exponent, decimal_digits& digits) noexcept {
  if (integer == decimal_units[static_cast<std::size_t>(n)]) {
    integer /= 10;
    ++exponent;
  }
  const std::uint64_t upper = integer / 100000000;
  const std::uint64_t top = upper / 100000000;
  store_word(digits.text, eight_digits(top) | eight_zeros);
  store_word(digits.text + 8, eight_digits(upper - top * 100000000) | eight_zeros);
  store_word(digits.text + 16, eight_digits(integer - upper * 100000000) | eight_zeros);
  std::memset(digits.text + 24, '0', decimal_digits::zero_run);
  digits.first = digits.text + 24 - n;
  digits.count = n;
  digits.exponent = exponent;
}

// What std::to_chars gives: exact, to nearest, ties to even.
void exact_digits(double magnitude, int n, decimal_digits& digits) noexcept {
  const int wanted = std::min(n, decimal_digits::most);
  char* const text = digits.text;
  char* const end = std::to_chars(text, text + sizeof digits.text, magnitude,
                                  std::chars_format::scientific, wanted - 1)
                        .ptr;
  const char* const letter =
      static_cast<const char*>(std::memchr(text, 'e', static_cast<std::size_t>(end - text)));
  int exponent = 0;
  std::from_chars(letter + (letter[1] == '+' ? 2 : 1), end, exponent);
  if (wanted > 1) text[1] = text[0];
  digits.first = wanted > 1 ? text + 1 : text;
  digits.count = wanted;
  digits.exponent = exponent + 1;
  std::memset(text + (digits.first - text) + wanted, '0', decimal_digits::zero_run);
}

bool rounds_away(const decimal_digits& digits, int keep, digit_rounding rounding) noexcept {
  const char* const rest = digits.first + keep;
  const auto is_zero = [](char c) { return c == '0'; };
  const char* const end = digits.first + digits.count;
  if (rest >= end) return false;
  switch (rounding.mode) {
    case 'u':
    case 'd':
      return rounding.negative == (rounding.mode == 'd') && !std::all_of(rest, end, is_zero);
    case 'z':
      return false;
    case 'c':
      return rest[0] >= '5';
    default:
      if (rest[0] != '5' || !std::all_of(rest + 1, end, is_zero)) return rest[0] >= '5';
      return keep > 0 && (rest[-1] - '0') % 2 == 1;
  }
}

// Drops all digits but the first keep >= 0.
void cut_digits(decimal_digits& digits, int keep, digit_rounding rounding) noexcept {
  if (keep >= digits.count) return;
  const bool away = rounds_away(digits, keep, rounding);
  char* const text = digits.text + (digits.first - digits.text);
  int last = keep - 1;
  if (away)
    while (last >= 0 && text[last] == '9') --last;
  if (away && last < 0) {  // 9.99 becomes 10.0, or the first digit dropped becomes a one
    text[0] = '1';
    std::memset(text + 1, '0', static_cast<std::size_t>(std::max(keep, 1)) - 1);
    ++digits.exponent;
    digits.count = std::max(keep, 1);
  } else {
    if (away) {
      ++text[last];
      std::memset(text + last + 1, '0', static_cast<std::size_t>(keep - 1 - last));
    }
    digits.count = keep;
  }
  std::memset(text + digits.count, '0', decimal_digits::zero_run);
}

bool is_nearest(digit_rounding rounding) noexcept {
  return rounding.mode == 's' || rounding.mode == 'p' || rounding.mode == 'n';
}

// As cut_digits, if all digits may lie below the place.
void cut_at_place(decimal_digits& digits, int place, digit_rounding rounding) noexcept {
  const int keep = digits.exponent + place;
  if (keep >= 0)
    cut_digits(digits, keep, rounding);
  else if (rounding.mode != 'c' && rounds_away(digits, 0, rounding))
    digits.set_one(1 - place);
  else
    digits.count = 0;
  if (digits.count > 0) return;
  digits.clear();
  digits.truncated = rounding.mode != 'c';
}

// Whether a number is 5 * 10^k.
bool is_half(double magnitude) noexcept {
  decimal_digits digits;
  exact_digits(magnitude, decimal_digits::most, digits);
  return digits.first[0] == '5' && std::all_of(digits.first + 1, digits.first + digits.count,
                                               [](char c) { return c == '0'; });
}

// Whether a number is more than half of the power of ten above it.
bool exceeds_half(double magnitude) noexcept {
  const binary_float number = take_apart(magnitude);
  const scaled_float scaled = scale(number, -decimal_exponent(number));
  const std::uint64_t digit = scaled.integer();
  const wide_word fraction = scaled.fraction();
  if (digit != 5 && digit != 4) return digit > 5;
  if (digit == 5 && (fraction > 0 || scaled.exact)) return fraction > 0;
  if (digit == 4 && (scaled.exact || fraction + 2 < scaled.half() * 2)) return false;
  decimal_digits digits;
  exact_digits(magnitude, decimal_digits::most, digits);
  return rounds_away(digits, 0, {});
}

}  // namespace

void decimal_digits::clear() noexcept {
  std::memset(text, '0', zero_run);
  first = text;
  count = 0;
  exponent = 0;
  truncated = false;
}

void decimal_digits::set_one(int new_exponent) noexcept {
  clear();
  text[0] = '1';
  std::memset(text + 1, '0', zero_run);
  count = 1;
  exponent = new_exponent;
}

char* decimal_digits::copy(char* out, int from, int n) const noexcept {
  if (n <= zero_run && from <= count) {  // a constant size, whatever lies behind it
    std::memcpy(out, first + from, zero_run);
    return out + n;
  }
  const int stored = std::clamp(count + zero_run - from, 0, n);
  std::memcpy(out, first + from, static_cast<std::size_t>(stored));
  std::memset(out + stored, '0', static_cast<std::size_t>(n - stored));
  return out + n;
}

int decimal_exponent(double magnitude) noexcept {
  return decimal_exponent(take_apart(magnitude));
}

void significant_digits(double magnitude, int n, digit_rounding rounding,
                        decimal_digits& digits) noexcept {
  if (!is_nearest(rounding)) {
    exact_digits(magnitude, n + rounding.guard, digits);
    cut_digits(digits, n, rounding);
    return;
  }
  const binary_float number = take_apart(magnitude);
  const int exponent = decimal_exponent(number);
  const int fast = std::min(n, most_fast_digits);
  const scaled_float scaled = scale(number, fast - 1 - exponent);
  std::uint64_t integer = 0;
  const bool known = n <= most_fast_digits ? round_to_nearest(scaled, integer)
                                           : scaled.exact && scaled.fraction() == 0;
  if (known)
    store_integer(n <= most_fast_digits ? integer : scaled.integer(), fast, exponent + 1, digits);
  else
    exact_digits(magnitude, n, digits);
}

void digits_to_place(double magnitude, int wanted_place, digit_rounding rounding,
                     decimal_digits& digits) noexcept {
  const int place = std::clamp(wanted_place, -1200, 1200);  // no real64 has digits further out
  const int n = decimal_exponent(magnitude) + 1 + place;
  if (is_nearest(rounding)) {
    if (n > 0)
      significant_digits(magnitude, n, rounding, digits);
    else if (n == 0 && exceeds_half(magnitude))
      digits.set_one(1 - place);
    else
      digits.clear();
    // gfortran drops a tie that it finds itself as it drops digits.
    if (n == 0 && digits.count == 0 && (rounding.mode == 'n' || place < 0))
      digits.truncated = is_half(magnitude);
    return;
  }
  const int with_guard = n + rounding.guard;
  if (with_guard < 0 || (with_guard == 0 && !exceeds_half(magnitude))) {
    digits.clear();
    return;
  }
  if (with_guard == 0)
    digits.set_one(1 - place - rounding.guard);
  else
    exact_digits(magnitude, with_guard, digits);
  cut_at_place(digits, place, rounding);
}

}  // namespace headrace
