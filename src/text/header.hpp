// Whether the first line of a text of numbers is a header. Next: header.cpp.
#pragma once

#include <string>
#include <string_view>

#include "rows.hpp"

namespace headrace {

// What the cells of a line look like: how many of each sort.
struct line_looks {
  std::size_t numbers = 0;
  std::size_t missing = 0;
  std::size_t lost = 0;  // of them, such as #N/A: names have none beside them
  std::size_t names = 0;
  std::size_t perhaps_names = 0;
  std::size_t others = 0;
  std::size_t wanted_numbers = 0;  // in the columns that are read
  std::size_t wanted_texts = 0;
  std::string first_text;      // of the wanted columns
  bool has_delimiter = false;  // a cell holds what usually delimits cells elsewhere

  std::size_t texts() const noexcept { return names + perhaps_names + others; }
};

line_looks looks_of(const row_block& line, const row_rules& rules);

// Digits with or without 0x, of whatever length.
bool is_hexadecimal(std::string_view cell) noexcept;

// Hexadecimal digits are data, but letters alone may be names ("a,b", "dad,face"), unless all cells
// have the digits of values of one size.
bool is_ambiguous(const row_block& line, const row_rules& rules) noexcept;

// Digits with 0x only: what stands above them without it is no digit.
bool has_prefixes(const row_block& line) noexcept;

// Names only, though some of them may begin as numbers do.
inline bool looks_like_names(const line_looks& line) noexcept {
  return line.names > 0 && line.numbers == 0 && line.others == 0 && line.lost == 0;
}

// Whether names stand above numbers: line_below is null if the file ends. Names that begin as
// numbers do need a line without any text below them.
bool is_header_above(const line_looks& names, const line_looks* line_below) noexcept;

}  // namespace headrace
