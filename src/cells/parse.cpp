#include "parse.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "../core/buffer.hpp"
#include "../core/shared_work.hpp"
#include "../text/bad_cells.hpp"
#include "../text/matrix.hpp"
#include "value.hpp"

namespace headrace {
namespace {

constexpr std::size_t cells_at_once = 4096;
constexpr std::size_t short_cell = 32;
static_assert(short_cell <= parse_padding);
constexpr std::size_t largest_tile = std::size_t{1} << 20;
constexpr std::size_t largest_copy = std::size_t{64} << 20;  // of cells, but for the last of them

// What one thread needs.
struct workspace {
  buffer tile;
  std::vector<std::uint32_t> pattern;  // ends of equally long cells
  buffer copy;                         // cells of a range, one after another
  std::vector<std::uint32_t> copy_ends;
  std::string scratch;
};

struct problem {
  cell_state state = cell_state::good;
  std::size_t row = 0;
  std::size_t column = 0;  // of the cells, not of the range
};

class cell_parsing {
 public:
  cell_parsing(const cell_array& cells, const cell_range& range, const cell_converter& converter,
               const array_view& array)
      : cells_(cells),
        range_(range),
        converter_(converter),
        matrix_(array),
        whole_rows_(range.first_column == 0 && range.columns == cells.columns()) {}

  // The cells of one block that belong to the range, up to the first problem.
  void parse(const cell_block& block, workspace& space, problem& found) const {
    const std::size_t last = std::min(block.first_row + block.rows, range_.first_row + range_.rows);
    std::size_t row = std::max(block.first_row, range_.first_row);
    const std::size_t row_bytes = std::max<std::size_t>(1, range_.columns * converter_.elem_len());
    const std::size_t together = std::max<std::size_t>(1, largest_tile / row_bytes);
    while (row < last && found.state == cell_state::good) {
      const std::size_t rows = std::min(together, last - row);
      parse_rows(block, row, rows, space, found);
      row += rows;
    }
  }

  status describe(const problem& found,
                  const std::function<std::string(std::size_t)>& name_of_column) const {
    std::string scratch;
    const std::string_view text = cells_.text(found.row, found.column, scratch);
    const std::string name = name_of_column ? name_of_column(found.column) : "";
    const std::string place = "row " + std::to_string(found.row + 1) + ", column " +
                              std::to_string(cells_.first_column + found.column + 1) +
                              (name.empty() ? "" : " (" + name + ")") + ": ";
    return cells_.at_cell(
        bad_cell(is_exact() ? text : trimmed(text), found.state, converter_.parser(), place),
        found.row, found.column);
  }

 private:
  // Blanks at the ends of characters count, carriage returns, too.
  bool is_exact() const noexcept { return converter_.parser().type() == type_class::character; }

  // Kernels skip blanks and carriage returns themselves; quotes they do not know.
  bool as_they_lie(const cell_block& block) const noexcept {
    const cell_decoding& decoding = cells_.decoding;
    if (!whole_rows_) return false;
    if (decoding.raw) return true;
    const bool plain = decoding.quote == '\0' || !block.may_have_quotes;
    return plain && (!is_exact() || (!decoding.ends_rows && !decoding.trims_ends));
  }

  void parse_rows(const cell_block& block, std::size_t row, std::size_t rows, workspace& space,
                  problem& found) const {
    char* tile = matrix_.in_place(row - range_.first_row);
    if (tile == nullptr) {
      space.tile.reserve(rows * range_.columns * converter_.elem_len());
      tile = space.tile.data();
    }
    const std::size_t first = (row - block.first_row) * cells_.columns();
    if (as_they_lie(block))
      parse_in_place(block, first, rows * range_.columns, space, tile, found);
    else
      parse_copies(block, row, rows, space, tile, found);
    if (tile == space.tile.data() && found.state == cell_state::good)
      matrix_.scatter(row - range_.first_row, rows, tile);
  }

  // Cells first to first + n - 1 of the block.
  void parse_in_place(const cell_block& block, std::size_t first, std::size_t n, workspace& space,
                      char* values, problem& found) const {
    if (block.ends) {
      const std::size_t at = converter_.convert(block.text.data(), block.ends.get() + 1, first,
                                                first + n, values, found.state);
      if (found.state != cell_state::good) locate(block, at, found);
      return;
    }
    const std::size_t pitch = std::size_t{block.width} + 1;
    const std::size_t chunk =
        std::max<std::size_t>(1, std::min(cells_at_once, (std::size_t{1} << 30) / pitch));
    make_pattern(space, block.width, chunk);
    for (std::size_t done = 0; done < n; done += chunk) {
      const std::size_t count = std::min(chunk, n - done);
      const std::size_t at =
          converter_.convert(block.text.data() + (first + done) * pitch, space.pattern.data() + 1,
                             0, count, values + done * converter_.elem_len(), found.state);
      if (found.state != cell_state::good) return locate(block, first + done + at, found);
    }
  }

  static void make_pattern(workspace& space, std::uint32_t width, std::size_t cells) {
    if (space.pattern.size() > cells && space.pattern[1] == width) return;
    space.pattern.resize(cells + 1);
    space.pattern[0] = UINT32_MAX;
    for (std::size_t k = 1; k <= cells; ++k) space.pattern[k] = space.pattern[k - 1] + width + 1;
  }

  void locate(const cell_block& block, std::size_t cell, problem& found) const {
    found.row = block.first_row + cell / cells_.columns();
    found.column = cell % cells_.columns();
  }

  // Decodes cells into a text of their own, which the kernels can parse.
  void parse_copies(const cell_block& block, std::size_t row, std::size_t rows, workspace& space,
                    char* values, problem& found) const {
    const std::size_t n = rows * range_.columns;
    for (std::size_t done = 0; done < n;) {
      const std::size_t count = copy_cells(block, row, done, n, space);
      const std::size_t at =
          converter_.convert(space.copy.data() + parse_padding, space.copy_ends.data() + 1, 0,
                             count, values + done * converter_.elem_len(), found.state);
      if (found.state != cell_state::good)
        return locate(block, cell_number(block, row, done + at), found);
      done += count;
    }
  }

  // The i-th cell of the range from a row on, as a number within its block.
  std::size_t cell_number(const cell_block& block, std::size_t row, std::size_t i) const noexcept {
    const std::size_t row_in_block = row - block.first_row + i / range_.columns;
    return row_in_block * cells_.columns() + range_.first_column + i % range_.columns;
  }

  // As many cells as make a batch; returns their number.
  std::size_t copy_cells(const cell_block& block, std::size_t row, std::size_t from, std::size_t n,
                         workspace& space) const {
    const std::size_t last = std::min(n, from + cells_at_once);
    space.copy.reserve(cells_at_once * 32 + 2 * parse_padding);
    space.copy_ends.resize(cells_at_once + 1);
    space.copy_ends[0] = UINT32_MAX;
    const std::size_t gap = cells_.columns() - range_.columns;
    std::size_t cell = cell_number(block, row, from);
    std::size_t until_gap = range_.columns - from % range_.columns;
    std::size_t used = parse_padding;
    std::size_t i = from;
    for (; i < last && used < largest_copy; ++i, ++cell) {
      used = copy_cell(block, cell, used, space);
      space.copy_ends[i - from + 1] = static_cast<std::uint32_t>(used - parse_padding);
      space.copy.data()[used++] = ',';
      if (--until_gap > 0) continue;
      until_gap = range_.columns;
      cell += gap;
    }
    return i - from;
  }

  std::size_t copy_cell(const cell_block& block, std::size_t cell, std::size_t used,
                        workspace& space) const {
    std::string_view text = block.raw(cell);
    const bool plain = cells_.is_plain(text);
    if (!plain) text = cells_.text(block, cell, space.scratch);
    if (used + text.size() + short_cell + parse_padding > space.copy.capacity())
      space.copy.reserve(used + text.size() + short_cell + parse_padding, used);
    char* const out = space.copy.data() + used;
    // A copy of known length is quicker; the padding of the block makes it safe.
    if (plain && text.size() <= short_cell && !text.empty())
      std::memcpy(out, text.data(), short_cell);
    else if (!text.empty())
      std::memcpy(out, text.data(), text.size());
    return used + text.size();
  }

  const cell_array& cells_;
  cell_range range_;
  const cell_converter& converter_;
  text_matrix matrix_;
  bool whole_rows_;
};

}  // namespace

status make_parse_style(const std::string& fmt, const std::string& decimal,
                        const std::string& imaginary, const std::string& missing,
                        parse_style& style, const std::string& since) {
  style = {};
  if (status s = check_style(fmt, decimal, since, style.epoch); !s.ok()) return s;
  style.hexadecimal = fmt == "z" || fmt == "Z";
  if (!decimal.empty()) style.decimal = decimal[0];
  style.imaginary = imaginary;
  style.as_seconds = !since.empty();
  style.missing = parse_missing(missing, style.decimal);
  return {};
}

status parse_cells(const cell_array& cells, const cell_range& range, const parse_style& style,
                   int threads, const array_view& array,
                   const std::function<std::string(std::size_t)>& name_of_column) {
  const value_type type{array.type, array.elem_len};
  status kind = style.as_seconds ? check_seconds_kind(type.type, type.elem_len)
                                 : check_value_kind(type.type, type.elem_len, style.hexadecimal);
  if (!kind.ok()) return kind;
  cell_style chosen = style;
  chosen.hexadecimal = style.hexadecimal && array.type != type_class::logical;  // T and F
  cell_converter converter;
  if (status s = converter.prepare({type, chosen}, style.missing); !s.ok()) return s;
  if (range.rows == 0 || range.columns == 0) return {};
  const cell_parsing parsing(cells, range, converter, array);
  const std::size_t begin = cells.block_of(range.first_row);
  const std::size_t end = cells.block_of(range.first_row + range.rows - 1) + 1;
  const int most = thread_count(threads);
  std::vector<workspace> spaces(std::min(end - begin, static_cast<std::size_t>(most)));
  first_failure first;
  std::atomic<std::size_t> last{end};  // no block behind it matters
  share_out(most, end - begin, [&](std::size_t item, int thread) {
    problem found;
    const std::size_t number = begin + item;
    if (number >= last) return;
    parsing.parse(cells.blocks()[number], spaces[static_cast<std::size_t>(thread)], found);
    if (found.state == cell_state::good) return;
    first.add(item, parsing.describe(found, name_of_column));
    last = std::min<std::size_t>(last, number);
  });
  return first.take();
}

}  // namespace headrace
