// The cells of one row of a delimited text, byte by byte: any rule, any text. Blocks of rows are
// found by kernels/find_fields_*.cpp; what these cannot tell comes here. Next: ../cells/scan.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "../core/blanks.hpp"
#include "bad_cells.hpp"

namespace headrace {

// How rows and cells are told apart. Blanks around a separator belong to no quoted cell and to no
// name; in other cells they are text.
struct row_rule {
  std::string column_separator = ",";
  std::string row_separator = "\n";
  char quote = '\0';             // '\0': quotes are characters like others
  char comment = '\0';           // what follows it in a line does not count
  bool blanks_separate = false;  // any number of blanks and tabs between cells
  bool raw = true;  // of one-column texts blank lines are cells; otherwise they are no rows

  // One byte each, so that separators stay in the text as they are.
  bool simple() const noexcept { return column_separator.size() == 1 && row_separator == "\n"; }
  // Of a text whose cells may be quoted.
  static row_rule of_text(char delimiter, char quote, char comment = '\0');
};

// How the bytes between two separators are to be understood.
struct cell_decoding {
  bool raw = true;          // as they are
  char quote = '\0';        // a cell whose first character but blanks it is is quoted
  bool trims_ends = false;  // blanks and tabs around a cell do not count
  bool ends_rows = true;    // the last cell of a row may end with the return of \r\n
};

// The text of a cell; scratch holds it when it is none of the bytes.
std::string_view decode_cell(std::string_view raw, const cell_decoding& decoding, bool last_of_row,
                             std::string& scratch);

// What is wrong with a text, and where: line and column (byte) from 0, in the text at hand.
struct scan_problem {
  row_trouble kind = row_trouble::none;
  std::uint64_t line = 0;
  std::uint64_t column = 0;
  std::size_t found = 0;  // cells of a row of the wrong length
};

// A row of cells: their texts, and whether they are quoted.
struct decoded_row {
  std::vector<std::string> cells;
  std::vector<bool> quoted;
};

// The cells of the first row that is no blank line and no comment, without blanks around them.
// Returns the bytes up to its end, 0 when there is none; lines counts line feeds in them.
std::size_t first_row(std::string_view text, const row_rule& rule, decoded_row& row,
                      std::uint64_t& lines, scan_problem& problem);

// Whether a cell is quoted.
bool is_quoted(std::string_view raw, char quote) noexcept;

// True for lines that are no rows.
bool is_skipped(const char* p, const char* end, const row_rule& rule, bool blank_is_row) noexcept;

// Null: the line does not end.
const char* after_line(const char* p, const char* end) noexcept;

std::uint64_t lines_in(const char* begin, const char* end) noexcept;

struct row_outcome {
  const char* next = nullptr;  // after the row; null: it does not end, or is wrong
  const char* trouble = nullptr;
  row_trouble kind = row_trouble::none;
};

// The end of a cell that begins at p, quoted or not. Null: outcome says what is wrong.
const char* after_cell(const char* p, const char* end, const row_rule& rule, row_outcome& outcome);

inline const char* skip_blanks(const char* p, const char* end) noexcept {
  while (p < end && is_blank(*p)) ++p;
  return p;
}

// Blanks that separate no cells.
inline const char* skip_blanks(const char* p, const char* end, const row_rule& rule) noexcept {
  if (rule.column_separator != "\t") return skip_blanks(p, end);
  while (p < end && *p != '\t' && is_blank(*p)) ++p;
  return p;
}

// One row of a simple text: cell(begin, end) for each of its cells, which end at separators.
template <class Cell>
row_outcome scan_row(const char* p, const char* end, const row_rule& rule, Cell cell) {
  row_outcome outcome;
  while (p < end) {
    const char* const begin = p;
    p = after_cell(p, end, rule, outcome);
    if (p == nullptr || p == end) return outcome;
    cell(begin, p);
    const char* following = rule.blanks_separate ? skip_blanks(p, end) : p;
    if (following == end) break;
    if (*following == '\n') return {following + 1};
    if (rule.comment != '\0' && *following == rule.comment) return {after_line(following, end)};
    ++p;
  }
  return outcome;
}

}  // namespace headrace
