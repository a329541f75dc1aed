// Arrays of texts to and from files. Next: source.hpp, scan.hpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "../core/files.hpp"
#include "cells.hpp"
#include "scan.hpp"

namespace headrace {

struct cell_reading {
  row_rule rule;
  int skip_rows = 0;    // lines before everything else
  bool header = false;  // the first row has the names of the columns
  int threads = 0;
};

// Reads a file into cells, which must be empty. Rows of different lengths are refused
// (row_length), quotes that do not end (quote_unbalanced) and, unless raw, NUL bytes too.
status read_cells(const std::string& file, const cell_reading& reading, cell_array& cells,
                  std::vector<std::string>& names);

// A column of an array of cells.
struct cell_column {
  std::shared_ptr<cell_array> cells;
  std::size_t number = 0;
};

// The same, column by column: each in an array of its own, unless there are very many.
struct cell_columns {
  std::vector<cell_column> columns;
  std::shared_ptr<const cell_places> places;  // what the arrays need for messages; null: nothing
  decoded_row names;                          // of the header, without a mark: column_names.hpp
};
status read_columns(const std::string& file, const cell_reading& reading, cell_columns& result);

struct cell_writing {
  std::string column_separator = ",";
  std::string row_separator = "\n";
  bool append = false;
};

// Writes the bytes of all cells and separators between them, nothing else. .gz and .zst compress.
status write_cells(const std::string& file, const cell_array& cells, const cell_writing& writing);

}  // namespace headrace
