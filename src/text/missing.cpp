#include "missing.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iterator>

#include "../core/blanks.hpp"
#include "../core/lower_case.hpp"
#include "kernels/number_types.hpp"
#include "kernels/parse_one.hpp"

namespace headrace {
namespace {

constexpr std::string_view usual_texts[] = {"na", "n/a", "#n/a", "#na", "<na>", "null", "none"};
constexpr std::string_view lost_texts[] = {"#n/a",  "#value!", "#ref!", "#div/0!", "#name?",
                                           "#num!", "#null!",  "none",  "nil"};
constexpr long far_exponent = 1'000'000'000;  // those beyond it are all one
constexpr long most_digits = 20;              // of an int64, and one more

template <std::size_t N>
bool is_one_of(const std::string_view (&texts)[N], std::string_view cell) noexcept {
  constexpr std::size_t longest = 8;
  char lower[longest] = {};
  if (cell.size() > longest) return false;
  for (std::size_t i = 0; i < cell.size(); ++i)
    lower[i] = static_cast<char>(cell[i] >= 'A' && cell[i] <= 'Z' ? cell[i] + 32 : cell[i]);
  return std::find(std::begin(texts), std::end(texts), std::string_view(lower, cell.size())) !=
         std::end(texts);
}

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

template <class T>
std::size_t find_value(const char* values, std::size_t from, std::size_t n, const char* wanted,
                       std::size_t parts) noexcept {
  // NaN is one value here: it stands for a missing one with any sign and bits.
  const auto is_same = [](T left, T right) {
    return left == right || (left != left && right != right);
  };
  for (std::size_t i = from; i < n; ++i) {
    bool same = true;
    for (std::size_t part = 0; part < parts; ++part) {
      same = same && is_same(value_at<T>(values + (i * parts + part) * sizeof(T)),
                             value_at<T>(wanted + part * sizeof(T)));
    }
    if (same) return i;
  }
  return n;
}

}  // namespace

bool is_missing(std::string_view cell) noexcept {
  return cell.empty() || is_one_of(usual_texts, cell);
}

bool is_lost_value(std::string_view cell) noexcept {
  if (!cell.empty() && cell.find_first_not_of('*') == std::string_view::npos) return true;
  return cell == "-" || cell == "--" || is_one_of(lost_texts, cell);
}

std::vector<std::string> split_missing(const std::string& option, char decimal) {
  const char between = decimal == ',' ? ';' : ',';
  std::vector<std::string> words;
  if (option.empty()) return words;
  std::size_t begin = 0;
  int open = 0;
  for (std::size_t i = 0; i <= option.size(); ++i) {
    if (i < option.size() && option[i] == '(') ++open;
    if (i < option.size() && option[i] == ')') --open;
    if (i < option.size() && (option[i] != between || open > 0)) continue;
    words.emplace_back(trimmed(std::string_view(option).substr(begin, i - begin)));
    begin = i + 1;
  }
  return words;
}

missing_option parse_missing(const std::string& option, char decimal) {
  missing_option words;
  if (option.empty()) return words;
  words.texts = split_missing(option, decimal);
  words.value = words.texts.front();
  words.texts.erase(words.texts.begin());
  const std::string lower = lower_case(words.value);
  if (lower == "nan")
    words.becomes = missing_option::outcome::nan;
  else if (lower != "error")
    words.becomes = missing_option::outcome::value;
  return words;
}

missing_texts::missing_texts(std::vector<std::string> own, char decimal, bool with_numbers)
    : own_(std::move(own)), decimal_(decimal) {
  for (const std::string& text : own_)
    if (std::string number = with_numbers ? one_spelling(text, decimal) : ""; !number.empty())
      numbers_.push_back(std::move(number));
}

bool missing_texts::is_text(std::string_view cell) const noexcept {
  cell = trimmed(cell);
  return is_missing(cell) || std::find(own_.begin(), own_.end(), cell) != own_.end();
}

bool missing_texts::stands_for_none(std::string_view cell) const {
  if (is_text(cell)) return true;
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

void missing_values::add(const char* value) {
  if (type_ != type_class::logical && type_ != type_class::character)
    values_.append(value, elem_len_);
}

std::size_t missing_values::find(const char* values, std::size_t from,
                                 std::size_t n) const noexcept {
  const bool real = type_ == type_class::real || type_ == type_class::complex;
  const std::size_t parts = type_ == type_class::complex ? 2 : 1;
  const std::size_t bytes = elem_len_ / parts;
  std::size_t first = n;
  for (std::size_t at = 0; at < values_.size(); at += elem_len_) {
    const char* const wanted = values_.data() + at;
    first = with_number(real ? type_class::real : type_class::integer, bytes, [&](auto number) {
      return find_value<decltype(number)>(values, from, first, wanted, parts);
    });
  }
  return first;
}

}  // namespace headrace
