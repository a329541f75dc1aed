#include "rows.hpp"

#include <algorithm>
#include <cstring>

#include "bad_cells.hpp"

namespace headrace {

status row_block::find(text_block& block, const row_rules& rules) {
  text_ = block.text;
  bytes_ = block.bytes;
  continues_ = block.continues;
  unfinished_ = block.unfinished;
  rows_ = 0;
  next_line_ = 0;
  map_ = {};
  if (bytes_ == 0) return {};
  const std::size_t entries = bytes_ + 64;
  ends_.reserve((entries + 16) * sizeof(std::uint32_t));
  line_fields_.reserve(entries * sizeof(std::uint32_t));
  // 16 entries in front hold ends[-1] and keep the map aligned.
  map_.ends = reinterpret_cast<std::uint32_t*>(ends_.data()) + 16;
  map_.ends[-1] = UINT32_MAX;
  map_.line_fields = reinterpret_cast<std::uint32_t*>(line_fields_.data());
  const field_style style{rules.settings.text.delimiter, rules.settings.text.decimal};
  const char special[2] = {'"', rules.settings.comment};
  find_fields(text_, bytes_, style, special, map_);
  line_trouble trouble;
  if (map_.has_special || block.begin != line_state::plain) {
    trouble = blank_out(block.text, bytes_, {style.delimiter, rules.settings.comment}, block.begin,
                        unfinished_, hidden_);
    find_fields(text_, bytes_, style, special, map_);
    for (const hidden_byte& byte : hidden_) block.text[byte.at] = byte.is;
  }
  if (!trouble && style.delimiter == ' ') trouble = find_lone_return(text_, bytes_);
  std::uint32_t before = 0;
  for (std::size_t line = 0; line < map_.lines; ++line) {
    rows_ += map_.line_fields[line] != before ? 1 : 0;
    before = map_.line_fields[line];
  }
  trouble_ = {};
  if (trouble) note(trouble);
  return {};
}

// Notes the line of what is wrong, and how many rows end before it.
void row_block::note(const line_trouble& trouble) noexcept {
  trouble_ = trouble;
  trouble_line_ = static_cast<std::size_t>(std::count(text_, trouble.at, '\n'));
  trouble_row_ = 0;
  for (std::size_t line = 0; line < trouble_line_ && line < map_.lines; ++line)
    trouble_row_ += cells_of(line) > 0 ? 1 : 0;
}

status row_block::describe_trouble(const row_rules& rules, const row_position& position) const {
  const auto place = static_cast<std::size_t>(trouble_.at - text_);
  return bad_row(trouble_.kind)
      .in_file(rules.file)
      .at_line(position.lines + trouble_line_ + 1, column_of(trouble_line_, place, position));
}

std::size_t row_block::line_begin(std::size_t line) const noexcept {
  const char* p = text_;
  for (; line > 0; --line)
    p = static_cast<const char*>(
            std::memchr(p, '\n', bytes_ - static_cast<std::size_t>(p - text_))) +
        1;
  return static_cast<std::size_t>(p - text_);
}

void row_block::pass(row_position& position) const noexcept {
  if (unfinished_) {
    position.cells += map_.fields;
    position.bytes += bytes_;
    return;
  }
  // A line that ends here without a cell of its own may end a row.
  const bool ends_row = continues_ && position.cells > 0 && cells_of(0) == 0;
  position.rows += rows_ + (ends_row ? 1 : 0);
  position.lines += map_.lines;
  position.cells = 0;
  position.bytes = 0;
}

// Where the first cell too many begins, or where the line of a row that is too short ends. cells:
// of the row, up to the end of this line or block.
std::size_t row_block::wrong_place(std::size_t line, std::size_t cells,
                                   std::size_t columns) const noexcept {
  const std::size_t end = cells_before(line + 1);
  if (cells > columns) {
    const std::size_t too_many = std::min(cells - columns, cells_of(line));
    return static_cast<std::size_t>(field_text(text_, map_.ends, end - too_many).data() - text_);
  }
  const char* const last = text_ + (cells_of(line) > 0 ? map_.ends[end - 1] : line_begin(line));
  const auto* const feed = static_cast<const char*>(
      std::memchr(last, '\n', bytes_ - static_cast<std::size_t>(last - text_)));
  return static_cast<std::size_t>(feed - text_) - (feed > text_ && feed[-1] == '\r' ? 1 : 0);
}

// From 1, in the file.
std::size_t row_block::column_of(std::size_t line, std::size_t place,
                                 const row_position& position) const noexcept {
  return place - line_begin(line) + 1 + (line == 0 ? static_cast<std::size_t>(position.bytes) : 0);
}

status row_block::wrong_length(std::size_t line, std::size_t cells, const row_rules& rules,
                               const row_position& position) const {
  const std::size_t columns = rules.file_columns;
  const std::size_t place = wrong_place(line, cells, columns);
  return bad_row(row_trouble::row_length, columns,
                 std::to_string(cells) + (ends_line(line) ? "" : " or more"))
      .in_file(rules.file)
      .at_line(position.lines + line + 1, column_of(line, place, position));
}

// line: where to begin, and then where the next row may begin.
status row_block::check_lengths(std::size_t count, const row_rules& rules,
                                const row_position& position, std::size_t& line) const {
  for (std::size_t rows = 0; rows < count && line < map_.lines; ++line) {
    const std::size_t cells = cells_of(line);
    if (cells == 0) continue;
    ++rows;
    if (cells != rules.file_columns) return wrong_length(line, cells, rules, position);
  }
  return {};
}

status row_block::explain(std::size_t field, cell_state state, const row_rules& rules,
                          const row_position& position) const {
  const std::string_view text = cell(field);
  const auto line = static_cast<std::size_t>(std::count(text_, text_ + map_.ends[field], '\n'));
  // Lines without cells may lie between an empty cell and the one before.
  const std::size_t begin = std::max<std::size_t>(
      line_begin(line), static_cast<std::uint32_t>(*(map_.ends + field - 1) + 1U));
  std::size_t place = text.empty() ? begin : static_cast<std::size_t>(text.data() - text_);
  if (const std::size_t null = text.find('\0'); null != std::string_view::npos) place += null;
  return bad_cell(text, state, rules.converter.parser())
      .in_file(rules.file)
      .at_line(position.lines + line + 1, column_of(line, place, position));
}

status row_block::convert_run(std::size_t first, std::size_t last, const row_rules& rules,
                              const row_position& position, char* values) const {
  cell_state state = cell_state::good;
  const std::size_t field = rules.converter.convert(text_, map_.ends, first, last, values, state);
  return state == cell_state::good ? status() : explain(field, state, rules, position);
}

status row_block::convert(std::size_t count, const row_rules& rules, const row_position& position,
                          char* values) {
  if (count == 0) return {};
  const std::size_t begin = next_line_;
  if (status s = check_lengths(count, rules, position, next_line_); !s.ok()) return s;
  const std::size_t width = rules.file_columns;
  const std::size_t first = cells_before(begin);
  const std::size_t wanted = rules.columns.size();
  // All cells, or runs of neighbours in each row.
  const std::size_t rows = wanted == 0 ? 1 : count;
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t c = 0; c == 0 || c < wanted;) {
      std::size_t run = wanted == 0 ? count * width : 1;
      while (c + run < wanted && rules.columns[c + run] == rules.columns[c] + run) ++run;
      const std::size_t cell = first + row * width + (wanted == 0 ? 0 : rules.columns[c]);
      cell_state state = cell_state::good;
      const std::size_t bad =
          rules.converter.convert(text_, map_.ends, cell, cell + run, values, state);
      if (state != cell_state::good) return explain(bad, state, rules, position);
      values += run * rules.converter.elem_len();
      c += run;
    }
  return {};
}

}  // namespace headrace
