#include "table_file.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

#include "../core/name_text.hpp"
#include "../core/threads.hpp"
#include "../text/append.hpp"
#include "../text/pieces.hpp"
#include "file.hpp"
#include "sink.hpp"
#include "table_guards.hpp"
#include "table_rows.hpp"

namespace headrace {
namespace {

constexpr std::size_t rows_together = 4096;

status check_characters(char delimiter, char quote, char comment) {
  const char* const wrong = "\n\r";
  const bool bad = std::strchr(wrong, delimiter) != nullptr || delimiter == quote ||
                   (comment != '\0' && (comment == delimiter || comment == quote));
  if (!bad) return {};
  return status::failure(stat_code::option_unknown,
                         "delimiter, quote and comment must be different characters of a line")
      .advise("leave them out for \",\", a double quote and no comments");
}

// A file without names stays one.
bool has_header(const data_table& table, const table_writing& writing) {
  const auto is_named = [](const data_table::column& column) { return column.named; };
  return writing.header && (writing.any_header ||
                            std::any_of(table.columns().begin(), table.columns().end(), is_named));
}

// A file that gets rows has their columns, in their order.
status check_old_columns(const std::string& file, const data_table& table,
                         const table_writing& writing) {
  appended_rows rows;
  rows.columns = table.columns().size();
  rows.text.delimiter = writing.delimiter;
  rows.quote = writing.quote;
  if (has_header(table, writing))
    for (const data_table::column& column : table.columns()) rows.names.push_back(column.name);
  file_beginning beginning;
  if (status s = read_beginning(file, rows, beginning); !s.ok()) return s;
  if (status s = check_appended(beginning, rows); !s.ok()) return std::move(s).in_file_once(file);
  return check_appended_cells(beginning, table, writing.delimiter, writing.quote,
                              !rows.names.empty())
      .in_file_once(file);
}

}  // namespace

status read_table(const std::string& file, const table_reading& reading, data_table& table) {
  if (status s = check_characters(reading.delimiter, reading.quote, reading.comment); !s.ok())
    return std::move(s).in_file(file);
  cell_reading cells_reading;
  cells_reading.rule = row_rule::of_text(reading.delimiter, reading.quote, reading.comment);
  cells_reading.skip_rows = reading.skip_rows;
  cells_reading.header = reading.header;
  cells_reading.drops_mark = reading.drops_mark;
  cells_reading.threads = reading.threads;
  cell_columns cells;
  if (status s = read_columns(file, cells_reading, cells); !s.ok()) return s;
  std::vector<std::string> names = std::move(cells.names);
  missing_texts missing(split_missing(reading.missing_text, reading.decimal), reading.decimal);
  if (reading.header && !reading.any_header)
    if (status s = check_table_header(names, cells, reading.decimal, missing); !s.ok())
      return std::move(s).in_file(file);
  if (!reading.header)
    for (std::size_t i = 0; i < cells.columns.size(); ++i) names.push_back(std::to_string(i + 1));
  table.set_columns(std::move(cells), std::move(names), reading.header);
  table.file = file;
  table.decimal = reading.decimal;
  table.missing = std::move(missing);
  return {};
}

status write_table(const std::string& file, const data_table& table, const table_writing& writing) {
  if (status s = check_characters(writing.delimiter, writing.quote, '\0'); !s.ok())
    return std::move(s).in_file(file);
  if (table.columns().empty())
    return status::failure(stat_code::argument_invalid, "the table has no columns")
        .in_file(file)
        .advise("put a column into it first");
  if (writing.decimal != '\0') {
    table_writing rest = writing;
    rest.decimal = '\0';
    data_table changed;
    if (status s = table.with_decimal(writing.decimal, changed); !s.ok())
      return std::move(s).in_file_once(file);
    return write_table(file, changed, rest);
  }
  text_sink sink;
  if (status s = sink.open(file, writing.append, writing.level); !s.ok()) return s;
  if (sink.old_bytes() > 0) {
    if (status s = check_old_columns(file, table, writing); !s.ok()) return s;
    if (status s = sink.end_old_line(); !s.ok()) return s;
  }
  const table_rows formatter(table, writing.delimiter, writing.quote);
  if (has_header(table, writing) && sink.old_bytes() == 0) {
    const std::string header = formatter.header();
    if (status s = sink.write(header.data(), header.size()); !s.ok()) return s;
  }
  piece_producer rows;
  rows.pieces = parts_of(table.rows(), rows_together);
  rows.produce = [&](std::size_t piece, piece_workspace& space, std::size_t& bytes) {
    const std::size_t first = piece * rows_together;
    if (!space.own) space.own = std::make_shared<table_rows::workspace>();
    bytes = formatter.rows(first, std::min(rows_together, table.rows() - first),
                           *static_cast<table_rows::workspace*>(space.own.get()), space.text);
    return status();
  };
  piece_destination destination(sink, 0);
  if (status s = write_pieces(rows, thread_count(writing.threads), destination); !s.ok()) return s;
  return sink.finish();
}

}  // namespace headrace
