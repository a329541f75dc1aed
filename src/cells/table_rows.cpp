#include "table_rows.hpp"

#include <algorithm>
#include <cstring>

#include "../text/kernels/parse_numbers.hpp"

namespace headrace {
namespace {

constexpr std::size_t chunk_rows = 256;
constexpr std::size_t piece = 32;  // bytes that are copied, whether a cell has them or not
static_assert(piece <= parse_padding);

// Sixteen bytes at a time, with the vector instructions that every processor has.
using sixteen = unsigned char __attribute__((vector_size(16)));

sixteen all_of(char c) noexcept {
  return sixteen{} + static_cast<unsigned char>(c);
}

}  // namespace

table_rows::table_rows(const data_table& table, char delimiter, char quote)
    : table_(table), delimiter_(delimiter), quote_(quote) {
  numbers_are_plain_ = std::strchr(",;\t |", delimiter_) != nullptr;
  tab_ = delimiter_ == ' ' ? '\t' : delimiter_;
  for (const char c : {delimiter_, quote_, tab_, '\n', '\r'})
    special_[static_cast<unsigned char>(c)] = true;
}

std::string table_rows::header() const {
  std::string text;
  for (const data_table::column& column : table_.columns()) {
    if (needs_quotes(column.name))
      append_quoted(text, column.name);
    else
      text += column.name;
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

// The cells of one column, with quotes where they need them.
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
      append_quoted(space.quoted, text);
    else
      space.quoted += text;
    space.changes.push_back({cell, offset});
    space.cells[cell] = {nullptr, space.quoted.size() - offset};
  }
}

// RFC 4180, and quotes where readers would lose a blank or skip a line of nothing.
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

void table_rows::append_quoted(std::string& text, std::string_view cell) const {
  text += quote_;
  for (const char c : cell) {
    if (c == quote_) text += quote_;
    text += c;
  }
  text += quote_;
}

}  // namespace headrace
