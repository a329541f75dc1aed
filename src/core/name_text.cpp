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

}  // namespace headrace
