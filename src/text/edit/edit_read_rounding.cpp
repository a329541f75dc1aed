// Rounding in a direction: the nearest value, compared with the decimal number digit by digit.
#include "edit_read_rounding.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

namespace headrace {
namespace {

// Digits without zeros at either end, and the power of ten of the first.
struct decimal_digits {
  std::string digits;
  long long first_power = 0;
};

decimal_digits digits_of(std::string_view text) {
  decimal_digits result;
  const std::size_t letter = text.find('e');
  long long power = 0;
  const char* begin = text.data() + letter + 1;
  if (*begin == '+') ++begin;
  std::from_chars(begin, text.data() + text.size(), power);
  const std::string_view mantissa = text.substr(0, letter);
  const std::size_t point = mantissa.find('.');
  for (const char c : mantissa)
    if (c != '.') result.digits += c;
  const std::size_t whole = point == std::string_view::npos ? mantissa.size() : point;
  const std::size_t zeros = std::min(result.digits.find_first_not_of('0'), result.digits.size());
  result.first_power = power + static_cast<long long>(whole) - static_cast<long long>(zeros);
  result.digits.erase(0, zeros);
  result.digits.erase(result.digits.find_last_not_of('0') + 1);
  return result;
}

// Every digit of a finite value.
decimal_digits exact_digits(double value) {
  char text[1200];
  const auto end =
      std::to_chars(text, text + sizeof text, value, std::chars_format::scientific, 1100).ptr;
  return digits_of({text, static_cast<std::size_t>(end - text)});
}

// Below 0 when the first is less. No digits are zero.
int compare(const decimal_digits& a, const decimal_digits& b) {
  if (a.digits.empty() || b.digits.empty())
    return static_cast<int>(!a.digits.empty()) - static_cast<int>(!b.digits.empty());
  if (a.first_power != b.first_power) return a.first_power < b.first_power ? -1 : 1;
  return a.digits.compare(b.digits);
}

}  // namespace

template <class Real>
Real round_directed(std::string_view decimal, Real nearest, char direction) {
  const Real infinity = std::numeric_limits<Real>::infinity();
  const int order = nearest == infinity
                        ? 1
                        : compare(exact_digits(static_cast<double>(nearest)), digits_of(decimal));
  if (direction == 'u' && order < 0) return std::nextafter(nearest, infinity);
  if (direction == 'd' && order > 0) return std::nextafter(nearest, Real(0));
  return nearest;
}

template double round_directed(std::string_view, double, char);
template float round_directed(std::string_view, float, char);

}  // namespace headrace
