// Whether rows fit a file that they would be appended to, by its first lines only. Next:
// text_append.cpp.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "../core/array_view.hpp"
#include "../core/settings.hpp"
#include "../core/status.hpp"

namespace headrace {

// The rows that a file would get.
struct appended_rows {
  type_class type = type_class::character;
  std::size_t columns = 0;
  text_layout text;  // delimiter, decimal symbol, number=
  char quote = '"';  // '\0': none
  std::vector<std::string>
      names;  // of the columns: the file has them, too; empty: it may have some
};

// The first lines of a file; whole: nothing comes behind them.
struct file_beginning {
  std::string text;
  bool whole = false;
};

// Of plain files and compressed ones.
status read_beginning(const std::string& file, file_beginning& beginning);

// How many columns they say: those of the first row of values, or else of the first line; 0: there
// is none.
std::size_t columns_said(std::string_view beginning, bool whole, const appended_rows& rows);

// Reads the beginning of a file that has content. Success where it says nothing of its rows, too.
// Failures: row_length (another number of columns), column_unknown (other names, or another order
// of them), bad_number (the cells are none of that type: another delimiter, perhaps),
// shape_mismatch (the file states the shape of one array).
status check_appended(const std::string& file, const appended_rows& rows);

// The same with the beginning of the file at hand; whole: nothing comes behind it.
status check_appended_to(std::string_view beginning, bool whole, const appended_rows& rows);

}  // namespace headrace
