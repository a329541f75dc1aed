// Whether the first line of a text is a header: the rules of arrays, and what tables and writers
// share with them. Next: header.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "row_scan.hpp"
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
  bool all_same = false;       // several cells, and one text in all of them: ND,ND

  std::size_t texts() const noexcept { return names + perhaps_names + others; }
};

line_looks looks_of(const row_block& line, const row_rules& rules);

// What a cell looks like to all types: complex numbers are numbers for reals, too.
cell_look look_of_cell(std::string_view text, char decimal, const missing_texts& missing) noexcept;

// Whether there are several cells, all with the same text: no names, but perhaps missing values.
bool are_all_same(const std::vector<std::string>& cells) noexcept;

// Quotes around numbers in the first row say that they are names if the cells below have none; so
// writers mark them.
enum class quotes_say : std::uint8_t { nothing, names, unclear };
// looks: of the cells of the first row. The cells that are no names must be quoted, without need,
// and none of those below. names: these cells have only digits (years), or names beside them.
// unclear: others, which may be values in quotes, or no values are below.
quotes_say what_quotes_say(const decoded_row& first, const std::vector<cell_look>& looks,
                           const decoded_row& below, char delimiter);

// Which names writers must quote. above_logicals: for each name, whether logicals may be below it.
std::vector<bool> names_like_values(const std::vector<std::string>& names,
                                    const text_layout& layout,
                                    const std::vector<bool>& above_logicals);
bool is_logical_word(std::string_view text) noexcept;

// Digits with or without 0x, of whatever length.
bool is_hexadecimal(std::string_view cell) noexcept;

// Hexadecimal digits are data, but letters alone may be names ("a,b", "dad,face"), unless all cells
// have the digits of values of one size.
bool is_ambiguous(const row_block& line, const row_rules& rules) noexcept;

// Digits with 0x only: what stands above them without it is no digit.
bool has_prefixes(const row_block& line) noexcept;

// Names only, though some of them may begin as numbers do.
inline bool looks_like_names(const line_looks& line) noexcept {
  return line.names > 0 && line.numbers == 0 && line.others == 0 && line.lost == 0 &&
         !line.all_same;
}

// Whether names stand above numbers: line_below is null if the file ends. Names that begin as
// numbers do need a line without any text below them.
bool is_header_above(const line_looks& names, const line_looks* line_below) noexcept;

}  // namespace headrace
