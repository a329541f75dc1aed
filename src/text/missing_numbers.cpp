#include "missing_numbers.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "kernels/parse_one.hpp"

namespace headrace {
namespace {

constexpr long far_exponent = 1'000'000'000;  // those beyond it are all one
constexpr long most_digits = 20;              // of an int64, and one more

// A value as digits without zeros around them, times a power of ten.
struct exact_number {
  bool negative = false;
  std::string digits;  // nothing: zero
  long exponent = 0;
};

long exponent_of(std::string_view text) noexcept {
  const bool negative = !text.empty() && text.front() == '-';
  if (!text.empty() && (negative || text.front() == '+')) text.remove_prefix(1);
  long exponent = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), exponent);
  if (result.ec != std::errc()) exponent = far_exponent;
  exponent = std::min(exponent, far_exponent);
  return negative ? -exponent : exponent;
}

// Of a text that parse_real() takes as a finite number, or as too large.
exact_number exact_number_of(std::string_view text) {
  exact_number number;
  bool in_fraction = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '-') number.negative = true;
    if (c == '.' || c == ',') in_fraction = true;
    if (c >= '0' && c <= '9') {
      number.exponent -= in_fraction ? 1 : 0;
      if (c != '0' || !number.digits.empty()) number.digits += c;
    }
    if (c != 'e' && c != 'E' && c != 'd' && c != 'D') continue;
    text.remove_prefix(i + 1);
    number.exponent += exponent_of(text.substr(0, text.find_last_of("0123456789") + 1));
    break;
  }
  while (!number.digits.empty() && number.digits.back() == '0') {
    number.digits.pop_back();
    ++number.exponent;
  }
  return number.digits.empty() ? exact_number{} : number;
}

field_state state_of(std::string_view text, char decimal, double& value) noexcept {
  return parse_real(text.data(), text.data() + text.size(), decimal, value);
}

// The one spelling of a number; nothing if the text is none.
std::string one_spelling(std::string_view text, char decimal) {
  double value = 0;
  const field_state state = state_of(text, decimal, value);
  if (state != field_state::good && state != field_state::too_large) return {};
  if (state == field_state::good && std::isnan(value)) return "nan";
  if (state == field_state::good && std::isinf(value)) return value < 0 ? "-inf" : "inf";
  const exact_number number = exact_number_of(text);
  return (number.negative ? "-" : "") + number.digits + 'e' + std::to_string(number.exponent);
}

}  // namespace

void missing_numbers::add(std::string_view text, char decimal) {
  decimal_ = decimal;
  std::string number = one_spelling(text, decimal);
  if (!number.empty()) numbers_.push_back(std::move(number));
}

bool missing_numbers::holds(std::string_view cell) const {
  if (numbers_.empty()) return false;
  const std::string number = one_spelling(cell, decimal_);
  return !number.empty() && std::find(numbers_.begin(), numbers_.end(), number) != numbers_.end();
}

std::string integer_text(std::string_view text, char decimal) {
  double value = 0;
  if (state_of(text, decimal, value) != field_state::good || !std::isfinite(value)) return {};
  const exact_number number = exact_number_of(text);
  if (number.digits.empty()) return "0";
  const long length = static_cast<long>(number.digits.size()) + number.exponent;
  if (number.exponent < 0 || length > most_digits) return {};
  return (number.negative ? "-" : "") + number.digits +
         std::string(static_cast<std::size_t>(number.exponent), '0');
}

}  // namespace headrace
