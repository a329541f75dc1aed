// Rows of a table as text, from its columns. Next: table_rows.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "../core/buffer.hpp"
#include "table.hpp"

namespace headrace {

class table_rows {
 public:
  table_rows(const data_table& table, char delimiter, char quote);

  // What one thread needs.
  struct workspace {
    struct cell {
      const char* text;  // as many bytes as are copied together may be read
      std::size_t length;
    };
    std::vector<cell> cells;  // of some rows, column by column
    std::string quoted;       // those that had to be changed, one after another
    struct changed {
      std::size_t cell;
      std::size_t offset;
    };
    std::vector<changed> changes;
    std::string scratch;
  };

  std::string header() const;
  // Leaves the rows in text and returns their bytes.
  std::size_t rows(std::size_t first, std::size_t count, workspace& space, buffer& text) const;

 private:
  void take_column(std::size_t number, std::size_t first, std::size_t count,
                   workspace& space) const;
  template <class Look>
  void take_cells(const cell_block& block, const data_table::column& column, std::size_t first,
                  std::size_t count, std::size_t cell, workspace& space, Look look) const;
  bool needs_quotes(std::string_view cell) const noexcept;
  bool has_special(std::string_view text) const noexcept;
  void append_quoted(std::string& text, std::string_view cell) const;

  const data_table& table_;
  char delimiter_;
  char quote_;
  char tab_;  // the delimiter again, or the tab that separates as blanks do
  bool numbers_are_plain_;
  bool special_[256] = {};  // characters that need quotes
};

}  // namespace headrace
