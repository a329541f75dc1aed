// Characters of texts, and what does not count around a cell, a name or an option.
#pragma once

#include <string_view>

namespace headrace {

// Within a line.
inline bool is_blank(char c) noexcept {
  return c == ' ' || c == '\t' || c == '\r';
}

inline bool is_space(char c) noexcept {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

inline bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

inline std::string_view trimmed(std::string_view text) noexcept {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace headrace
