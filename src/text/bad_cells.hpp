// What is said of cells and rows that are not as they should be, the same for arrays, tables and
// cells. Whoever knows the place adds it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "cell_parser.hpp"

namespace headrace {

// A cell that is no value of the type of parser. place: what stands before it ("row 2, column 3:
// ").
status bad_cell(std::string_view cell, cell_state state, const cell_parser& parser,
                const std::string& place = "");

// What is wrong with a row before its cells are looked at.
enum class row_trouble {
  none,
  row_length,
  text_after_quote,
  open_quote,
  null_byte,
  too_long,
  lone_return,  // lines end with carriage returns only
};

// expected and found: cells, of row_length only.
status bad_row(row_trouble kind, std::size_t expected = 0, const std::string& found = "");

}  // namespace headrace
