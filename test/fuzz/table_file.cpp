// Tables: a table that can be read has the same cells after it was written and read again, and its
// columns become arrays or a status.
#include "cells/table_file.hpp"

#include <cstdlib>

#include "cells/table.hpp"
#include "memory_file.hpp"
#include "sample_array.hpp"
#include "targets.hpp"

namespace headrace::fuzz {
namespace {

// A name for the file that is written, of this process alone.
std::string scratch_file() {
  const char* const directory = std::getenv("TMPDIR");
  return (directory != nullptr ? std::string(directory) : "/tmp") + "/headrace-fuzz-" +
         std::to_string(::getpid()) + ".csv";
}

table_reading chosen_reading(fuzz_input& input) {
  constexpr char delimiters[] = {',', ';', '\t', ' '};
  table_reading reading;
  reading.delimiter = delimiters[input.choose(sizeof delimiters)];
  reading.header = reading.any_header = input.choose(2) == 0;
  reading.quote = input.choose(4) == 3 ? '\0' : '"';
  reading.comment = input.choose(3) == 2 ? '#' : '\0';
  reading.decimal = input.choose(4) == 3 ? ',' : '.';
  reading.skip_rows = static_cast<int>(input.choose(2));
  reading.missing_text = input.choose(3) == 2 ? "-" : "";
  reading.threads = 1 + static_cast<int>(input.choose(3));
  return reading;
}

std::string cell(const data_table& table, std::size_t row, std::size_t column) {
  std::string scratch;
  const data_table::column& chosen = table.columns()[column];
  return std::string(chosen.cells->text(row, chosen.number, scratch));
}

void get_columns(const data_table& table, element_type element) {
  if (element.type == type_class::logical && element.elem_len == 1) element.elem_len = 4;
  for (std::size_t column = 0; column < table.columns().size() && column < 3; ++column) {
    const sample_array array(element, table.rows(), 1);
    array_view view = array.view();
    view.array_rank = 1;
    parse_style style;
    style.decimal = table.decimal;
    const status s = table.get(column, style, 2, view);
    require(s.ok() || !s.message().empty(), "a failure without a message");
    require(!table.type_of(column).empty(), "a column without a type");
    const std::size_t longest = table.longest(column);
    for (std::size_t row = 0; row < table.rows(); ++row)
      require(cell(table, row, column).size() <= longest, "a cell is longer than the longest");
  }
}

// At the beginning of a file such bytes are no text but tell its encoding.
bool begins_like_byte_order_mark(const std::string& name) {
  return !name.empty() && static_cast<unsigned char>(name[0]) >= 0xEF;
}

void write_and_read_again(const data_table& table) {
  if (begins_like_byte_order_mark(table.columns()[0].name)) return;
  const std::string file = scratch_file();
  table_writing all;
  all.any_header = true;
  const status written = write_table(file, table, all);
  data_table again;
  table_reading any;  // names may be numbers
  any.any_header = true;
  const status read = written.ok() ? read_table(file, any, again) : status();
  ::unlink(file.c_str());
  require(written.ok(), "cannot write: " + written.message());
  require(read.ok(), "cannot read what was written: " + read.message());
  require(again.rows() == table.rows(), "other number of rows");
  require(again.columns().size() == table.columns().size(), "other number of columns");
  for (std::size_t column = 0; column < table.columns().size(); ++column) {
    require(again.columns()[column].name == table.columns()[column].name, "other name");
    for (std::size_t row = 0; row < table.rows(); ++row)
      require(cell(again, row, column) == cell(table, row, column),
              "cell \"" + cell(table, row, column) + "\" came back as \"" +
                  cell(again, row, column) + '"');
  }
}

}  // namespace

void table_file(std::string_view bytes) {
  fuzz_input input(bytes);
  const element_type element = element_types[input.choose(element_type_count)];
  const table_reading reading = chosen_reading(input);
  const memory_file file(input.rest());
  data_table table;
  if (const status s = read_table(file.path(), reading, table); !s.ok()) return;
  if (table.columns().empty()) return;
  get_columns(table, element);
  write_and_read_again(table);
}

}  // namespace headrace::fuzz
