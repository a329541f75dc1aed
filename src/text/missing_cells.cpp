#include "missing_cells.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>

namespace headrace {
namespace {

std::string_view without_blanks(std::string_view text) noexcept {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
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
      T left;
      T right;
      std::memcpy(&left, values + (i * parts + part) * sizeof(T), sizeof(T));
      std::memcpy(&right, wanted + part * sizeof(T), sizeof(T));
      same = same && is_same(left, right);
    }
    if (same) return i;
  }
  return n;
}

}  // namespace

bool is_missing(std::string_view cell) noexcept {
  char lower[4] = {};
  if (cell.empty()) return true;
  if (cell.size() > sizeof lower) return false;
  for (std::size_t i = 0; i < cell.size(); ++i)
    lower[i] = static_cast<char>(cell[i] >= 'A' && cell[i] <= 'Z' ? cell[i] + 32 : cell[i]);
  const std::string_view text(lower, cell.size());
  return std::find(std::begin(usual_missing), std::end(usual_missing), text) !=
         std::end(usual_missing);
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
    words.emplace_back(without_blanks(std::string_view(option).substr(begin, i - begin)));
    begin = i + 1;
  }
  return words;
}

missing_words parse_missing(const std::string& option, char decimal) {
  missing_words words;
  if (option.empty()) return words;
  words.texts = split_missing(option, decimal);
  words.value = words.texts.front();
  words.texts.erase(words.texts.begin());
  std::string lower = words.value;
  for (char& c : lower) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  if (lower == "nan") words.becomes = missing_words::outcome::nan;
  if (lower != "nan" && lower != "error") words.becomes = missing_words::outcome::value;
  return words;
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
    if (real)
      first = bytes == 4 ? find_value<float>(values, from, first, wanted, parts)
                         : find_value<double>(values, from, first, wanted, parts);
    else if (bytes == 1)
      first = find_value<std::int8_t>(values, from, first, wanted, parts);
    else if (bytes == 2)
      first = find_value<std::int16_t>(values, from, first, wanted, parts);
    else if (bytes == 4)
      first = find_value<std::int32_t>(values, from, first, wanted, parts);
    else
      first = find_value<std::int64_t>(values, from, first, wanted, parts);
  }
  return first;
}

std::string nan_of(type_class type, std::size_t elem_len) {
  if (type != type_class::real && type != type_class::complex) return {};
  const float small = std::numeric_limits<float>::quiet_NaN();
  const double large = std::numeric_limits<double>::quiet_NaN();
  const bool single = elem_len == (type == type_class::complex ? 8U : 4U);
  std::string part(
      single ? reinterpret_cast<const char*>(&small) : reinterpret_cast<const char*>(&large),
      single ? sizeof small : sizeof large);
  return type == type_class::complex ? part + part : part;
}

}  // namespace headrace
