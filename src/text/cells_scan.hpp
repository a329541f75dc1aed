// Where rows and cells of a delimited text end. Next: kernels/parse_numbers.hpp (find_fields).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cells.hpp"

namespace headrace {

// How rows and cells are told apart.
struct row_rule {
  std::string column_separator = ",";
  std::string row_separator = "\n";
  char quote = '\0';             // '\0': quotes are characters like others
  char comment = '\0';           // what follows it in a line does not count
  bool blanks_separate = false;  // any number of blanks and tabs between cells
  bool raw = true;  // of one-column texts blank lines are cells; otherwise they are no rows
  // One byte each, so that separators stay in the text as they are.
  bool simple() const noexcept { return column_separator.size() == 1 && row_separator == "\n"; }
};

// What is wrong with a text, and where: line and column (byte) from 0, in the text at hand.
struct scan_problem {
  enum class what {
    none,
    row_length,
    text_after_quote,
    open_quote,
    nul,
    too_long,
    lone_return,  // lines end with carriage returns only
  };
  what kind = what::none;
  std::uint64_t line = 0;
  std::uint64_t column = 0;
  std::size_t found = 0;  // cells of a row of the wrong length
};

// The length of the complete rows at the beginning of a text. open_quote: where a quoted cell
// begins that does not end, or bytes.
std::size_t complete_rows(const char* text, std::size_t bytes, const row_rule& rule,
                          std::size_t& open_quote);

// The cells of the first row that is no blank line and no comment, decoded. Returns the bytes up to
// its end, 0 when there is none; lines counts line feeds in them.
std::size_t first_row(const char* text, std::size_t bytes, const row_rule& rule,
                      std::vector<std::string>& cells, std::uint64_t& lines, scan_problem& problem);

// What one thread needs.
struct scan_workspace {
  std::vector<std::uint32_t> ends;
  std::unique_ptr<std::uint32_t[]> fields;
  std::unique_ptr<std::uint32_t[]> line_fields;
  std::size_t room = 0;
  // false: the blocks get no ends; they are found_ends instead, until the next block.
  bool sets_ends = true;
  const std::uint32_t* found_ends = nullptr;
};

// Finds the cells of complete rows in block.text (block.bytes); sets all its other members but
// first_row and first_line. Lines that are no rows are cut out of the text.
scan_problem scan_block(const row_rule& rule, std::size_t columns, scan_workspace& space,
                        cell_block& block);

}  // namespace headrace
