#include "columns.hpp"

#include <algorithm>
#include <cstring>

#include "../text/kernels/parse_numbers.hpp"

namespace headrace {
namespace {

constexpr std::size_t rows_in_cache = 128;
constexpr std::size_t copied_together = 32;  // bytes, whether a cell has them or not
static_assert(copied_together <= parse_padding);

// One column while its cells are copied.
struct growing_column {
  char* begin = nullptr;
  char* out = nullptr;
  std::unique_ptr<std::uint32_t[]> ends;
  std::uint32_t length = 0;       // of the first cell
  std::uint32_t differences = 0;  // of the others from it
  bool quoted = false;
};

// Cells of `rows` rows, whose ends are `columns` apart.
void copy_cells(const char* text, const std::uint32_t* ends, std::size_t columns, std::size_t rows,
                char quote, std::uint32_t* new_ends, growing_column& column) noexcept {
  char* out = column.out;
  std::uint32_t differences = 0;
  bool quoted = false;
  for (std::size_t row = 0; row < rows; ++row, ends += columns) {
    const std::uint32_t begin = ends[0] + 1;
    const std::uint32_t length = ends[1] - begin;
    const char* const cell = text + begin;
    quoted |= *cell == quote;
    std::memcpy(out, cell, copied_together);
    if (length > copied_together)
      std::memcpy(out + copied_together, cell + copied_together, length - copied_together);
    out += length;
    *out = '\n';
    new_ends[row] = static_cast<std::uint32_t>(out - column.begin);
    ++out;
    differences |= length ^ column.length;
  }
  column.out = out;
  column.differences |= differences;
  column.quoted |= quoted;
}

// The same for the last column, whose cells may end with carriage returns.
void copy_last_cells(const char* text, const std::uint32_t* ends, std::size_t columns,
                     std::size_t rows, char quote, std::uint32_t* new_ends,
                     growing_column& column) noexcept {
  for (std::size_t row = 0; row < rows; ++row, ends += columns) {
    const std::uint32_t begin = ends[0] + 1;
    const bool returns = ends[1] > begin && text[ends[1] - 1] == '\r';
    const std::uint32_t one[2] = {ends[0], ends[1] - (returns ? 1U : 0U)};
    copy_cells(text, one, 0, 1, quote, new_ends + row, column);
  }
}

std::uint32_t length_of(const char* text, const std::uint32_t* ends, bool last) noexcept {
  const std::uint32_t length = ends[1] - (ends[0] + 1);
  return last && length > 0 && text[ends[1] - 1] == '\r' ? length - 1 : length;
}

std::ptrdiff_t line_feeds_in(std::string_view text) noexcept {
  return std::count(text.begin(), text.end(), '\n');
}

}  // namespace

std::vector<cell_block> split_columns(const cell_block& rows, const std::uint32_t* ends,
                                      const cell_decoding& decoding) {
  const std::size_t columns = rows.columns;
  std::vector<std::size_t> offsets(columns + 1, 0);
  for (std::size_t row = 0; row < rows.rows; ++row) {
    const std::uint32_t* const of_row = ends + row * columns;
    for (std::size_t i = 0; i < columns; ++i)
      offsets[i + 1] += std::uint32_t(of_row[i + 1] - of_row[i]);
  }
  for (std::size_t i = 0; i < columns; ++i) offsets[i + 1] += offsets[i] + parse_padding;
  auto memory = std::make_shared<cell_memory>();
  memory->allocate(offsets[columns]);
  std::vector<growing_column> growing(columns);
  const char* const text = rows.text.data();
  for (std::size_t i = 0; i < columns; ++i) {
    growing_column& column = growing[i];
    column.begin = column.out = memory->data() + offsets[i];
    column.ends.reset(new std::uint32_t[rows.rows + 1]);
    column.ends[0] = UINT32_MAX;
    column.length = length_of(text, ends + i, i + 1 == columns);
  }
  for (std::size_t row = 0; row < rows.rows; row += rows_in_cache) {
    const std::size_t count = std::min(rows_in_cache, rows.rows - row);
    for (std::size_t i = 0; i < columns; ++i) {
      const std::uint32_t* const from = ends + row * columns + i;
      const auto copy = i + 1 == columns ? copy_last_cells : copy_cells;
      copy(text, from, columns, count, decoding.quote, growing[i].ends.get() + 1 + row, growing[i]);
    }
  }
  // Blanks may stand before a quote that begins a cell.
  const bool any_quote = decoding.quote != '\0' && decoding.trims_ends &&
                         std::memchr(text, decoding.quote, rows.bytes) != nullptr;
  std::vector<cell_block> result(columns);
  for (std::size_t i = 0; i < columns; ++i) {
    growing_column& column = growing[i];
    cell_block& block = result[i];
    block.bytes = static_cast<std::size_t>(column.out - column.begin);
    block.text = cell_memory::part(memory, offsets[i], block.bytes);
    block.rows = rows.rows;
    block.columns = 1;
    block.may_have_quotes = any_quote || (decoding.quote != '\0' && column.quoted);
    if (column.differences == 0)
      block.width = column.length;
    else
      block.ends = std::move(column.ends);
  }
  return result;
}

cell_places::place column_places::place_of(std::size_t row, std::size_t column) const noexcept {
  const auto after =
      std::upper_bound(blocks.begin(), blocks.end(), row,
                       [](std::size_t r, const block& b) { return r < b.first_row; });
  const auto number = static_cast<std::size_t>(after - blocks.begin()) - 1;
  const block& known = blocks[number];
  const std::size_t in_block = row - known.first_row;
  std::uint64_t line = known.first_line + in_block;
  const auto skips = std::upper_bound(
      known.skips.begin(), known.skips.end(), in_block,
      [](std::size_t r, const skipped_lines& skip) { return r < skip.before_row; });
  if (skips != known.skips.begin()) line += (skips - 1)->lines;
  std::size_t byte = 1;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const cell_block& cells = columns[i]->blocks()[number];
    for (std::size_t r = 0; known.has_line_feeds && r < in_block; ++r)
      line += static_cast<std::uint64_t>(line_feeds_in(cells.raw(r)));
    if (i >= column) continue;
    const std::string_view raw = cells.raw(in_block);
    const std::size_t feed = raw.rfind('\n');
    line += static_cast<std::uint64_t>(line_feeds_in(raw));
    byte = feed == std::string_view::npos ? byte + raw.size() + 1 : raw.size() - feed + 1;
  }
  return {line, byte};
}

}  // namespace headrace
