// Lines longer than a block, which are read in pieces: no row needs to be in memory.
#include <algorithm>

#include "text_read.hpp"

namespace headrace {

// Reads a line longer than a block ahead, in a second opening of the file.
status text_row_reader::count_long_line() {
  const char delimiter = rules_.settings.text.delimiter;
  input_.cut_lines(delimiter, rules_.settings.comment);
  text_input ahead;
  ahead.share_memory(threads_);
  if (status s = ahead.open(rules_.file); !s.ok()) return s;
  bool found = false;
  std::string ignored;
  for (std::uint64_t line = 0; line < lines_before_; ++line)
    if (status s = ahead.take_line(ignored, found); !s.ok()) return s;
  ahead.cut_lines(delimiter, rules_.settings.comment);
  rules_.file_columns = 0;
  text_block block;
  row_block cells;
  do {
    if (status s = ahead.next(block, found); !s.ok() || !found) return s;
    if (status s = cells.find(block, rules_); !s.ok()) return s;
    rules_.file_columns += cells.cells_of(0);
  } while (!cells.ends_line(0));
  return {};
}

// The cells that one line of a block adds to its row.
status text_row_reader::convert_piece(slot& from, std::size_t line, const target& to) {
  const std::size_t first = from.rows.cells_before(line);
  const std::size_t count = from.rows.cells_of(line);
  const auto done = static_cast<std::size_t>(from.position.cells);
  const std::size_t cells = done + count;
  const bool complete = from.rows.ends_line(line) && cells > 0;
  if (cells > rules_.file_columns || (complete && cells < rules_.file_columns))
    return from.rows.wrong_length(line, cells, rules_, from.position);
  const text_matrix& matrix = *to.matrix;
  const auto row = static_cast<std::size_t>(from.position.rows - to.first);
  char* const in_place = matrix.in_place(row);
  const std::size_t elem_len = matrix.array().elem_len;
  from.tile.reserve(std::max<std::size_t>(1, count) * elem_len);
  // Cells first to last - 1 of the row go to columns from column on.
  const auto move = [&](std::size_t begin, std::size_t end, std::size_t column) {
    char* const values = in_place != nullptr ? in_place + column * elem_len : from.tile.data();
    status result = from.rows.convert_run(first + begin - done, first + end - done, rules_,
                                          from.position, values);
    if (result.ok() && in_place == nullptr)
      matrix.scatter(row, 1, {column, end - begin}, from.tile.data());
    return result;
  };
  if (rules_.columns.empty()) return count == 0 ? status() : move(done, cells, done);
  for (std::size_t c = 0; c < rules_.columns.size(); ++c) {
    const std::size_t cell = rules_.columns[c];
    if (cell < done || cell >= cells) continue;
    if (status s = move(cell, cell + 1, c); !s.ok()) return s;
  }
  return {};
}

// The position follows the lines that are used: rows and cells are those before the next one.
status text_row_reader::convert_pieces(slot& from, const target& to) {
  row_position& position = from.position;
  for (; from.used < from.rows.lines() && position.rows < to.first + to.rows; ++from.used) {
    if (from.rows.has_trouble() && from.used == from.rows.trouble_line())
      return from.rows.describe_trouble(rules_, from.position);
    if (to.matrix != nullptr)
      if (status s = convert_piece(from, from.used, to); !s.ok()) return s;
    position.cells += from.rows.cells_of(from.used);
    if (!from.rows.ends_line(from.used)) continue;
    position.rows += position.cells > 0 ? 1 : 0;
    position.cells = 0;
  }
  return {};
}

}  // namespace headrace
