// What keeps tables from losing or mixing rows: is the first row names, do rows fit those of a
// file? Next: table_guards.cpp.
#pragma once

#include <string>
#include <vector>

#include "../text/append.hpp"
#include "file.hpp"
#include "table.hpp"

namespace headrace {

// The names of a header. column_unknown: the first row is data, or may be: numbers, dates and stars
// only, missing values only (those of missing among them), one text only, logicals above logicals
// only, a number with a decimal sign, or numbers (dates) above numbers (dates). Years in equal
// steps above other numbers are names, and what quotes mark as names (../text/header.hpp).
status check_table_header(const cell_columns& cells, const data_table& table, char delimiter);

// Whether the cells of a table fit those of a file that its rows would be appended to, by the first
// of both. bad_number: texts below numbers, others below dates, numbers below texts, numbers with
// the other decimal sign. named: the first row of the file has the names.
status check_appended_cells(const file_beginning& beginning, const data_table& table,
                            char delimiter, char quote, bool named);

}  // namespace headrace
