// The names in the first line of a text file, and columns by name. Next: read.hpp.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "../core/status.hpp"

namespace headrace {

// The cells of a header without quotes and blanks around them; comment '\0': none. columns: of the
// rows below.
std::vector<std::string> names_of_header(std::string_view line, char delimiter, char comment,
                                         std::size_t columns);

// A mark in front that other programs skip ("# time mass") is not part of the first name. Alone it
// is the name of a column ("#,x,y"), but for one name more than there are columns.
void drop_mark(std::vector<std::string>& names, std::size_t columns);

// column_unknown: there is none of that name, with those that are, or there are several. index:
// from 0.
status find_column_name(const std::vector<std::string>& known, const std::string& name,
                        std::size_t& index);

}  // namespace headrace
