// Names and short texts as messages show them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace headrace {

// "abc", cut to a readable length, without control characters.
std::string shown(std::string_view text, std::size_t longest = 40);

// Text for a message: control characters and bytes beyond ASCII as \x.., cut when long.
std::string excerpt(std::string_view text);

// "x", "y" and 3 more: ten names at most. Empty if there are none.
std::string names_text(const std::vector<std::string>& names);

// Whether the bytes are characters of UTF-8, in their shortest form and without surrogates.
bool is_utf8(std::string_view text) noexcept;

}  // namespace headrace
