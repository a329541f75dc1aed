// Tables to and from files of delimited cells (RFC 4180). Next: file.hpp.
#pragma once

#include <string>

#include "table.hpp"

namespace headrace {

struct table_reading {
  char delimiter = ',';  // ' ': any number of blanks and tabs
  char quote = '"';      // '\0': quotes are characters like others
  char comment = '\0';   // what follows it in a line does not count; '\0': no comments
  char decimal = '.';
  bool header = true;       // the first row has the names; otherwise they are "1", "2", ...
  bool any_header = false;  // whatever it looks like; otherwise numbers are refused as names
  int skip_rows = 0;        // lines before everything else
  std::string missing_text;
  int threads = 0;
};

status read_table(const std::string& file, const table_reading& reading, data_table& table);

struct table_writing {
  char delimiter = ',';
  char quote = '"';
  bool header = true;       // a first row of names, if a column has one
  bool any_header = false;  // also of the numbers of columns that have none
  bool append = false;      // no second header in a file that has content
  int threads = 0;
  int level = 0;        // of compression; 0: the usual one
  char decimal = '\0';  // of all numbers; '\0': as each column has it
};

// The columns in their order. Cells that hold the delimiter, quotes or line ends, that begin or end
// with a blank, are quoted. Whole or not at all; .gz and .zst compress.
status write_table(const std::string& file, const data_table& table, const table_writing& writing);

}  // namespace headrace
