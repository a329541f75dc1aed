// Quotes and comments among lines of numbers. Next: quotes.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "bad_cells.hpp"
#include "input.hpp"

namespace headrace {

// What is wrong with a line before its numbers are looked at.
struct line_trouble {
  row_trouble kind = row_trouble::none;
  const char* at = nullptr;

  explicit operator bool() const noexcept { return kind != row_trouble::none; }
};

// How lines are told apart into cells.
struct quote_rule {
  char delimiter = ',';  // ' ': blanks and tabs
  char comment = '\0';   // none
};

// A byte that is not what it seems to be until the cells have been found.
struct hidden_byte {
  std::uint32_t at;
  char is;
};

// Makes quotes around cells and all of a comment blanks: a quoted number reads as the number.
// Gives the first trouble; a quote that the last line of an unfinished text leaves open is none.
// Quotes within a cell stay, so that it is no number. What would delimit cells but belongs to a
// quoted one is hidden: delimiters in quotes, and the end of a quote around blanks, so that there
// is a cell.
line_trouble blank_out(char* text, std::size_t bytes, const quote_rule& rule, line_state begin,
                       bool unfinished, std::vector<hidden_byte>& hidden);

// What the text behind a piece of a line belongs to.
line_state state_behind(std::string_view piece, const quote_rule& rule, line_state begin) noexcept;

// The first carriage return that neither ends its line nor stands among blanks at its end.
line_trouble find_lone_return(const char* text, std::size_t bytes) noexcept;

}  // namespace headrace
