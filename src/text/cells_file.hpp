// Arrays of texts to and from files. Next: cells_source.hpp, cells_scan.hpp.
#pragma once

#include <string>
#include <vector>

#include "../core/files.hpp"
#include "cells.hpp"
#include "cells_scan.hpp"

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

struct cell_writing {
  std::string column_separator = ",";
  std::string row_separator = "\n";
  bool append = false;
};

// Writes the bytes of all cells and separators between them, nothing else. .gz and .zst compress.
status write_cells(const std::string& file, const cell_array& cells, const cell_writing& writing);

}  // namespace headrace
