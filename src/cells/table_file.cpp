#include "table_file.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

#include "../core/name_text.hpp"
#include "../core/threads.hpp"
#include "../text/append.hpp"
#include "../text/format.hpp"
#include "../text/header.hpp"
#include "../text/kernels/parse_numbers.hpp"
#include "../text/pieces.hpp"
#include "file.hpp"
#include "sink.hpp"
#include "table_guards.hpp"

namespace headrace {
namespace {

// ---- rows of a table as text, from its columns ----

constexpr std::size_t chunk_rows = 256;
constexpr std::size_t piece = 32;  // bytes that are copied, whether a cell has them or not
static_assert(piece <= parse_padding);

// Sixteen bytes at a time, with the vector instructions that every processor has.
using sixteen = unsigned char __attribute__((vector_size(16)));

sixteen all_of(char c) noexcept {
  return sixteen{} + static_cast<unsigned char>(c);
}

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

  const data_table& table_;
  char delimiter_;
  char quote_;
  char tab_;  // the delimiter again, or the tab that separates as blanks do
  bool numbers_are_plain_;
  bool special_[256] = {};  // characters that need quotes
};

table_rows::table_rows(const data_table& table, char delimiter, char quote)
    : table_(table), delimiter_(delimiter), quote_(quote) {
  numbers_are_plain_ = std::strchr(",;\t |", delimiter_) != nullptr;
  tab_ = delimiter_ == ' ' ? '\t' : delimiter_;
  for (const char c : {delimiter_, quote_, tab_, '\n', '\r'})
    special_[static_cast<unsigned char>(c)] = true;
}

std::string table_rows::header() const {
  std::string text;
  std::vector<std::string> names;
  std::vector<bool> above_logicals;
  std::string scratch;
  for (const data_table::column& column : table_.columns()) {
    names.push_back(column.name);
    above_logicals.push_back(table_.rows() == 0 ||
                             is_logical_word(column.cells->text(0, column.number, scratch)));
  }
  text_layout layout;
  layout.decimal = table_.decimal;
  const std::vector<bool> like_values = names_like_values(names, layout, above_logicals);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (quote_ != '\0' && (like_values[i] || needs_quotes(names[i])))
      append_in_quotes(text, names[i], quote_);
    else
      text += names[i];
    text += delimiter_;
  }
  text.back() = '\n';
  return text;
}

std::size_t table_rows::rows(std::size_t first, std::size_t count, workspace& space,
                             buffer& text) const {
  const std::size_t columns = table_.columns().size();
  space.cells.resize(chunk_rows * columns);
  std::size_t used = 0;
  for (std::size_t done = 0; done < count; done += chunk_rows) {
    const std::size_t rows = std::min(chunk_rows, count - done);
    space.quoted.clear();
    space.changes.clear();
    for (std::size_t i = 0; i < columns; ++i) take_column(i, first + done, rows, space);
    space.quoted.append(piece, '\0');
    for (const workspace::changed& change : space.changes)
      space.cells[change.cell].text = space.quoted.data() + change.offset;
    std::size_t bytes = rows * columns + piece;
    for (std::size_t i = 0; i < columns; ++i)
      for (std::size_t row = 0; row < rows; ++row)
        bytes += space.cells[i * chunk_rows + row].length;
    if (used + bytes > text.capacity())
      text.reserve(std::max(used + bytes, 2 * text.capacity()), used);
    char* out = text.data() + used;
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t i = 0; i < columns; ++i) {
        const workspace::cell& cell = space.cells[i * chunk_rows + row];
        std::memcpy(out, cell.text, piece);
        if (cell.length > piece) std::memcpy(out + piece, cell.text + piece, cell.length - piece);
        out += cell.length;
        *out++ = delimiter_;
      }
      out[-1] = '\n';
    }
    used = static_cast<std::size_t>(out - text.data());
  }
  return used;
}

// The cells of one column, with quotes if they need them.
void table_rows::take_column(std::size_t number, std::size_t first, std::size_t count,
                             workspace& space) const {
  const data_table::column& column = table_.columns()[number];
  const cell_array& cells = *column.cells;
  const bool plain = numbers_are_plain_ && column.plain;
  std::size_t block_number = cells.block_of(first);
  std::size_t cell = number * chunk_rows;
  while (count > 0) {
    const cell_block& block = cells.blocks()[block_number++];
    const std::size_t row = first - block.first_row;
    const std::size_t rows = std::min(count, block.rows - row);
    if (plain)
      take_cells(block, column, row, rows, cell, space,
                 [&](std::string_view text) { return text.empty() && needs_quotes(text); });
    else
      take_cells(block, column, row, rows, cell, space,
                 [&](std::string_view text) { return needs_quotes(text); });
    first += rows;
    count -= rows;
    cell += rows;
  }
}

template <class Look>
void table_rows::take_cells(const cell_block& block, const data_table::column& column,
                            std::size_t first, std::size_t count, std::size_t cell,
                            workspace& space, Look look) const {
  const cell_array& cells = *column.cells;
  for (std::size_t row = first; row < first + count; ++row, ++cell) {
    const std::size_t place = row * block.columns + column.number;
    const std::string_view raw = block.raw(place);
    const bool is_plain = raw.empty() || cells.is_plain(raw);
    std::string_view text = is_plain ? raw : cells.text(block, place, space.scratch);
    // What was decoded may lie where nothing can be read behind it.
    const bool quotes = look(text);
    if (!quotes && (is_plain || text.data() != space.scratch.data())) {
      space.cells[cell] = {text.data(), text.size()};
      continue;
    }
    const std::size_t offset = space.quoted.size();
    if (quotes)
      append_in_quotes(space.quoted, text, quote_);
    else
      space.quoted += text;
    space.changes.push_back({cell, offset});
    space.cells[cell] = {nullptr, space.quoted.size() - offset};
  }
}

// RFC 4180, and quotes if readers would lose a blank or skip a line of nothing.
bool table_rows::needs_quotes(std::string_view cell) const noexcept {
  if (quote_ == '\0') return false;
  if (cell.empty()) return table_.columns().size() == 1 || delimiter_ == ' ';
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  return is_blank(cell.front()) || is_blank(cell.back()) || has_special(cell);
}

bool table_rows::has_special(std::string_view text) const noexcept {
  const sixteen delimiter = all_of(delimiter_);
  const sixteen quote = all_of(quote_);
  const sixteen tab = all_of(tab_);
  const char* p = text.data();
  std::size_t left = text.size();
  if (left < sizeof(sixteen))
    return std::any_of(p, p + left,
                       [&](char c) { return special_[static_cast<unsigned char>(c)]; });
  while (left > 0) {
    // What is left is less than a piece: some bytes before it once more.
    if (left < sizeof(sixteen)) p -= sizeof(sixteen) - left, left = sizeof(sixteen);
    sixteen bytes;
    std::memcpy(&bytes, p, sizeof bytes);
    const auto found = (bytes == delimiter) | (bytes == quote) | (bytes == tab) |
                       (bytes == all_of('\n')) | (bytes == all_of('\r'));
    std::uint64_t halves[2];
    std::memcpy(halves, &found, sizeof halves);
    if ((halves[0] | halves[1]) != 0) return true;
    p += sizeof(sixteen);
    left -= sizeof(sixteen);
  }
  return false;
}

// ---- files ----

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
status check_old_columns(const file_writer& writer, const std::string& file,
                         const data_table& table, const table_writing& writing) {
  appended_rows rows;
  rows.columns = table.columns().size();
  rows.text.delimiter = writing.delimiter;
  rows.quote = writing.quote;
  if (has_header(table, writing))
    for (const data_table::column& column : table.columns()) rows.names.push_back(column.name);
  file_beginning beginning;
  if (status s = read_beginning(writer, file, rows, beginning); !s.ok()) return s;
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
  cells_reading.threads = reading.threads;
  cell_columns cells;
  if (status s = read_columns(file, cells_reading, cells); !s.ok()) return s;
  table.decimal = reading.decimal;
  table.missing =
      missing_texts(split_missing(reading.missing_text, reading.decimal), reading.decimal);
  if (reading.header && !reading.any_header)
    if (status s = check_table_header(cells, table, reading.delimiter); !s.ok())
      return std::move(s).in_file(file);
  std::vector<std::string> names = std::move(cells.names.cells);
  if (!reading.header)
    for (std::size_t i = 0; i < cells.columns.size(); ++i) names.push_back(std::to_string(i + 1));
  table.set_columns(std::move(cells), std::move(names), reading.header);
  table.file = file;
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
  if (sink.has_old_text()) {
    if (status s = check_old_columns(sink.writer(), file, table, writing); !s.ok()) return s;
    if (status s = sink.end_old_line(); !s.ok()) return s;
  }
  const table_rows formatter(table, writing.delimiter, writing.quote);
  if (has_header(table, writing) && !sink.has_old_text()) {
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
