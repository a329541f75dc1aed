// Whether rows fit a file that they would be appended to, by its first lines only. Next:
// append.cpp.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "../core/array_view.hpp"
#include "../core/files.hpp"
#include "../core/settings.hpp"
#include "../core/status.hpp"
#include "row_scan.hpp"

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

// Its rows, one after another. The beginning outlives them.
class beginning_rows {
 public:
  beginning_rows(const file_beginning& beginning, row_rule rule)
      : text_(beginning.text), whole_(beginning.whole), rule_(std::move(rule)) {}

  // The next row with cells that lies here completely.
  bool next(decoded_row& row);
  // What follows.
  std::string_view text() const noexcept { return text_; }
  void pass(std::size_t bytes) {
    text_.remove_prefix(bytes);
    used_ += bytes;
  }
  // Whoever has the same bytes and more sees the same rows. 0: there may be more of the last one.
  std::size_t bytes_used() const noexcept { return ran_out_ ? 0 : used_; }
  bool whole() const noexcept { return whole_; }

 private:
  std::string_view text_;
  bool whole_;
  row_rule rule_;
  std::string last_line_;
  std::size_t used_ = 0;
  bool ran_out_ = false;
};

// Of the file that a writer appends to: as many lines as it takes to see a row of values, if such
// rows are appended.
status read_beginning(const file_writer& writer, const std::string& file, const appended_rows& rows,
                      file_beginning& beginning);

// Of a file that has content. Success also if its beginning says nothing of its rows.
// Failures: row_length (another number of columns), column_unknown (other names, or another order
// of them), bad_number (the cells are none of that type: another delimiter, perhaps),
// shape_mismatch (the file states the shape of one array).
status check_appended(const file_beginning& beginning, const appended_rows& rows);

// The rows of a file that a writer appends to. What the beginning of a file said to rows that were
// appended is remembered: while it begins with the same bytes, the same rows need no other look.
class old_rows {
 public:
  // Looks at a file that has content. like: type and text of the rows; the rest comes with check().
  status look(const std::string& file, const file_writer& writer, const appended_rows& like);
  // How many columns the file says: those of the first row of values, or else of the first line; 0:
  // there is none. After look().
  std::size_t columns() const;
  // As check_appended(). After look().
  status check(const appended_rows& rows);

 private:
  status read();

  const std::string* file_ = nullptr;
  const file_writer* writer_ = nullptr;
  appended_rows like_;
  file_beginning beginning_;
  bool is_known_ = false;  // the file begins as it is remembered
  std::size_t known_columns_ = 0;
};

}  // namespace headrace
