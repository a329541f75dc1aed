// The names in the first line of a text file, and columns by name. Next: read.hpp.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "../core/status.hpp"
#include "row_scan.hpp"

namespace headrace {

// A mark in front that other programs skip ("# time mass") is not part of the first name, unless
// that is quoted. Alone it
// is the name of a column ("#,x,y"), but for one name more than there are columns.
void drop_mark(decoded_row& names, std::size_t columns, bool blanks_separate);

// column_unknown: there is none of that name, with those that are, or there are several. index:
// from 0.
status find_column_name(const std::vector<std::string>& known, const std::string& name,
                        std::size_t& index);

}  // namespace headrace
