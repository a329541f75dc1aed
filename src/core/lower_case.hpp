// Letters of ASCII, whatever the locale.
#pragma once

#include <algorithm>
#include <string>

namespace headrace {

inline char lower_case(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

inline std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](char c) { return lower_case(c); });
  return text;
}

}  // namespace headrace
