#include "name_text.hpp"

#include "status.hpp"

namespace headrace {

std::string shown(std::string_view text, std::size_t longest) {
  std::string result = "\"";
  const std::size_t length = fitting_length(text, longest);
  for (const char c : text.substr(0, length))
    result += static_cast<unsigned char>(c) < 32 || c == 127 ? '?' : c;
  return result + (length < text.size() ? "...\"" : "\"");
}

std::string excerpt(std::string_view text) {
  constexpr std::size_t longest = 40;
  constexpr char digits[] = "0123456789abcdef";
  std::string result = "\"";
  for (const char c : text.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 32 && byte < 127)
      result += c;
    else
      result += std::string("\\x") + digits[byte >> 4] + digits[byte & 15];
  }
  return result + (text.size() > longest ? "...\"" : "\"");
}

std::string names_text(const std::vector<std::string>& names) {
  constexpr std::size_t most_shown = 10;
  constexpr std::size_t longest_name = 100;
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < most_shown; ++i)
    text += (i == 0 ? "" : ", ") + shown(names[i], longest_name);
  if (names.size() > most_shown)
    text += " and " + std::to_string(names.size() - most_shown) + " more";
  return text;
}

bool is_utf8(std::string_view text) noexcept {
  for (std::size_t at = 0; at < text.size();) {
    const auto first = static_cast<unsigned char>(text[at++]);
    if (first < 0x80) continue;
    if (first < 0xc2 || first > 0xf4) return false;
    int more = first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
    // What the byte behind the first may be: neither longer than needed, nor a surrogate.
    unsigned least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    unsigned most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    for (; more > 0; --more, least = 0x80, most = 0xbf) {
      if (at == text.size()) return false;
      const auto next = static_cast<unsigned char>(text[at++]);
      if (next < least || next > most) return false;
    }
  }
  return true;
}

}  // namespace headrace
