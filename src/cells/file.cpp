#include "file.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <deque>
#include <mutex>

#include "../core/threads.hpp"
#include "../text/column_names.hpp"
#include "../text/kernels/parse_numbers.hpp"
#include "sink.hpp"
#include "source.hpp"

namespace headrace {
namespace {

// ---- cells of a file column by column: each column an array of its own, so that reading one
// touches nothing else ----

// More columns than that stay in one array: each of them would have few rows in a block.
constexpr std::size_t most_split_columns = 256;

// Where the cells of split columns stand in their file.
class column_places final : public cell_places {
 public:
  struct block {
    std::size_t first_row;
    std::uint64_t first_line;
    bool has_line_feeds;  // some cells have line ends in quotes
    std::vector<skipped_lines> skips;
  };

  std::vector<block> blocks;
  std::vector<std::shared_ptr<const cell_array>> columns;

  place place_of(std::size_t row, std::size_t column) const noexcept override;
};

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
};

// Cells of `rows` rows, whose ends are `columns` apart.
void copy_cells(const char* text, const std::uint32_t* ends, std::size_t columns, std::size_t rows,
                std::uint32_t* new_ends, growing_column& column) noexcept {
  char* out = column.out;
  std::uint32_t differences = 0;
  for (std::size_t row = 0; row < rows; ++row, ends += columns) {
    const std::uint32_t begin = ends[0] + 1;
    const std::uint32_t length = ends[1] - begin;
    const char* const cell = text + begin;
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
}

// The same for the last column, whose cells may end with carriage returns.
void copy_last_cells(const char* text, const std::uint32_t* ends, std::size_t columns,
                     std::size_t rows, std::uint32_t* new_ends, growing_column& column) noexcept {
  for (std::size_t row = 0; row < rows; ++row, ends += columns) {
    const std::uint32_t begin = ends[0] + 1;
    const bool returns = ends[1] > begin && text[ends[1] - 1] == '\r';
    const std::uint32_t one[2] = {ends[0], ends[1] - (returns ? 1U : 0U)};
    copy_cells(text, one, 0, 1, new_ends + row, column);
  }
}

std::uint32_t length_of(const char* text, const std::uint32_t* ends, bool last) noexcept {
  const std::uint32_t length = ends[1] - (ends[0] + 1);
  return last && length > 0 && text[ends[1] - 1] == '\r' ? length - 1 : length;
}

std::ptrdiff_t line_feeds_in(std::string_view text) noexcept {
  return std::count(text.begin(), text.end(), '\n');
}

// The cells of a block of rows as a block for each column. ends: as cell_block has them. Carriage
// returns that end rows are left out.
std::vector<cell_block> split_columns(const cell_block& rows, const std::uint32_t* ends,
                                      char quote) {
  const std::size_t columns = rows.columns;
  std::vector<std::size_t> offsets(columns + 1, 0);
  for (std::size_t row = 0; row < rows.rows; ++row) {
    const std::uint32_t* const of_row = ends + row * columns;
    for (std::size_t i = 0; i < columns; ++i)
      offsets[i + 1] += std::uint32_t(of_row[i + 1] - of_row[i]);
  }
  for (std::size_t i = 0; i < columns; ++i) offsets[i + 1] += offsets[i] + parse_padding;
  cell_memory memory;
  memory.allocate(offsets[columns]);
  std::vector<growing_column> growing(columns);
  const char* const text = rows.text.data();
  for (std::size_t i = 0; i < columns; ++i) {
    growing_column& column = growing[i];
    column.begin = column.out = memory.data() + offsets[i];
    column.ends.reset(new std::uint32_t[rows.rows + 1]);
    column.ends[0] = UINT32_MAX;
    column.length = length_of(text, ends + i, i + 1 == columns);
  }
  for (std::size_t row = 0; row < rows.rows; row += rows_in_cache) {
    const std::size_t count = std::min(rows_in_cache, rows.rows - row);
    for (std::size_t i = 0; i < columns; ++i) {
      const std::uint32_t* const from = ends + row * columns + i;
      const auto copy = i + 1 == columns ? copy_last_cells : copy_cells;
      copy(text, from, columns, count, growing[i].ends.get() + 1 + row, growing[i]);
    }
  }
  std::vector<cell_block> result(columns);
  for (std::size_t i = 0; i < columns; ++i) {
    growing_column& column = growing[i];
    cell_block& block = result[i];
    block.bytes = static_cast<std::size_t>(column.out - column.begin);
    block.text = memory.part(offsets[i], block.bytes);
    block.rows = rows.rows;
    block.columns = 1;
    block.may_have_quotes = rows.may_have_quotes && std::memchr(column.begin, quote, block.bytes);
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

// ---- reading ----

// Several threads read one file, block by block: in turn from the file, at once through the cells.
class cell_reader {
 public:
  cell_reader(const std::string& file, const cell_reading& reading)
      : file_(file), reading_(reading) {
    decoding_ = {reading.rule.raw, reading.rule.quote, reading.rule.blanks_separate, true};
  }

  status rows(cell_array& cells, decoded_row& names) {
    if (status s = open(names); !s.ok()) return s;
    read();
    std::vector<cell_block> blocks;
    if (status s = finish(blocks); !s.ok()) return s;
    describe_file(cells);
    return cells.append(std::move(blocks));
  }

  status columns(cell_columns& result) {
    if (status s = open(result.names); !s.ok()) return s;
    splits_ = columns_ <= most_split_columns;
    read();
    std::vector<cell_block> blocks;
    if (status s = finish(blocks); !s.ok()) return s;
    const bool any = std::any_of(blocks.begin(), blocks.end(),
                                 [](const cell_block& block) { return block.rows > 0; });
    const std::size_t columns = any ? columns_ : result.names.cells.size();
    if (splits_) return take_columns(blocks, columns, result);
    auto cells = std::make_shared<cell_array>();
    describe_file(*cells);
    for (std::size_t i = 0; i < columns; ++i) result.columns.push_back({cells, i});
    return cells->append(std::move(blocks));
  }

 private:
  status open(decoded_row& names) {
    if (status s = source_.open(file_, reading_.rule); !s.ok()) return s;
    return begin(names);
  }

  void read() {
    const auto threads = static_cast<std::size_t>(thread_count(reading_.threads));
    const std::size_t useful = std::min(threads, source_.blocks().value_or(threads));
    run_threads(static_cast<int>(useful), [&](int) { work(); });
  }

  void describe_file(cell_array& cells) const {
    cells.file = file_;
    cells.separator = reading_.rule.column_separator[0];
    cells.decoding = decoding_;
  }

  // Everything before the first row of cells, and how many cells a row has.
  status begin(decoded_row& names) {
    if (status s = source_.next(first_); !s.ok()) return s;
    first_line_ = 1;
    if (status s = skip_rows(); !s.ok()) return s;
    if (reading_.header)
      if (status s = take_header(names); !s.ok()) return s;
    std::size_t found = 0;
    status counted = count_columns(found);
    columns_ = std::max<std::size_t>(1, found);
    if (names.cells.empty()) return counted;
    drop_mark(names, found, reading_.rule.blanks_separate);
    columns_ = names.cells.size();
    return {};
  }

  status skip_rows() {
    for (int i = 0; i < reading_.skip_rows && first_.bytes > 0; ++i) {
      const void* const feed = std::memchr(first_.text.data(), '\n', first_.bytes);
      if (feed == nullptr) return bad_row(row_trouble::too_long).in_file(file_);
      cut(static_cast<std::size_t>(static_cast<const char*>(feed) + 1 - first_.text.data()), 1);
      if (first_.bytes == 0)
        if (status s = source_.next(first_); !s.ok()) return s;
    }
    return {};
  }

  status take_header(decoded_row& names) {
    while (first_.bytes > 0) {
      std::uint64_t lines = 0;
      scan_problem problem;
      const std::size_t bytes =
          first_row({first_.text.data(), first_.bytes}, reading_.rule, names, lines, problem);
      if (problem.kind != row_trouble::none) return fail(problem, first_line_);
      if (bytes > 0) return cut(bytes, lines), status();
      cut(first_.bytes, static_cast<std::uint64_t>(std::count(
                            first_.text.data(), first_.text.data() + first_.bytes, '\n')));
      if (status s = source_.next(first_); !s.ok()) return s;
    }
    return status::failure(stat_code::end_of_file, "the file is empty: it has no header")
        .in_file(file_)
        .advise("give header=\"no\" if it has none");
  }

  // Takes bytes from the beginning of the first block.
  void cut(std::size_t bytes, std::uint64_t lines) {
    first_.bytes -= bytes;
    first_line_ += lines;
    std::memmove(first_.text.data(), first_.text.data() + bytes, first_.bytes);
  }

  // Of the first row; 0: there is none.
  status count_columns(std::size_t& found) {
    if (!reading_.rule.simple()) {
      std::string_view text(first_.text.data(), first_.bytes);
      text = text.substr(0, text.find(reading_.rule.row_separator));
      const std::string& separator = reading_.rule.column_separator;
      for (std::size_t at = 0; (at = text.find(separator, at)) != std::string_view::npos; ++found)
        at += separator.size();
      ++found;
      return {};
    }
    decoded_row row;
    std::uint64_t lines = 0;
    scan_problem problem;
    first_row({first_.text.data(), first_.bytes}, reading_.rule, row, lines, problem);
    if (problem.kind != row_trouble::none) return fail(problem, first_line_);
    found = row.cells.size();
    return {};
  }

  void work() {
    scan_workspace space;
    space.sets_ends = !splits_;
    cell_memory spare;
    while (slot* const taken = take(spare)) {
      taken->problem = scan_block(reading_.rule, columns_, space, taken->block);
      if (taken->problem.kind != row_trouble::none)
        stopped_ = true;
      else if (splits_ && taken->block.rows > 0)
        split(*taken, space, spare);
    }
  }

  struct slot {
    cell_block block;
    std::vector<cell_block> columns;  // of splits_: the block has no text then
    scan_problem problem;
  };

  void split(slot& taken, const scan_workspace& space, cell_memory& spare) {
    taken.columns = split_columns(taken.block, space.found_ends, decoding_.quote);
    spare = std::move(taken.block.text);
    taken.block.text = cell_memory();
  }

  slot* take(cell_memory& spare) {
    const std::lock_guard<std::mutex> lock(guard_);
    if (stopped_) return nullptr;
    slots_.emplace_back();
    slot& taken = slots_.back();
    if (first_.bytes > 0) {
      std::swap(taken.block, first_);
      first_.bytes = 0;
      return &taken;
    }
    if (splits_) taken.block.text = std::move(spare);
    status read = source_.next(taken.block, splits_);
    if (read.ok() && taken.block.bytes > 0) return &taken;
    slots_.pop_back();
    result_.keep_first(std::move(read));
    stopped_ = true;
    return nullptr;
  }

  // The blocks in their order; those of splits_ have lost their text.
  status finish(std::vector<cell_block>& blocks) {
    std::uint64_t line = first_line_;
    blocks.reserve(slots_.size());
    for (slot& done : slots_) {
      if (done.problem.kind != row_trouble::none) return fail(done.problem, line);
      done.block.first_line = line;
      line += done.block.lines;
      blocks.push_back(std::move(done.block));
    }
    return result_;
  }

  status take_columns(std::vector<cell_block>& rows, std::size_t columns, cell_columns& result) {
    auto places = std::make_shared<column_places>();
    std::vector<std::vector<cell_block>> blocks(columns);
    std::size_t first_row = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      cell_block& block = rows[i];
      if (block.rows == 0) continue;
      const std::size_t skipped = block.skips.empty() ? 0 : block.skips.back().lines;
      places->blocks.push_back({first_row, block.first_line, block.lines != block.rows + skipped,
                                std::move(block.skips)});
      first_row += block.rows;
      for (std::size_t k = 0; k < columns; ++k)
        blocks[k].push_back(std::move(slots_[i].columns[k]));
    }
    for (std::size_t k = 0; k < columns; ++k) {
      auto cells = std::make_shared<cell_array>();
      describe_file(*cells);
      cells->decoding.ends_rows = false;
      cells->first_column = k;
      cells->places = places;
      if (status s = cells->append(std::move(blocks[k])); !s.ok()) return s;
      places->columns.push_back(cells);
      result.columns.push_back({std::move(cells), 0});
    }
    result.places = std::move(places);
    return {};
  }

  status fail(const scan_problem& problem, std::uint64_t first_line) const {
    return bad_row(problem.kind, columns_, std::to_string(problem.found))
        .in_file(file_)
        .at_line(first_line + problem.line, problem.column + 1);
  }

  std::string file_;
  cell_reading reading_;
  cell_decoding decoding_;
  bool splits_ = false;
  row_source source_;
  cell_block first_;
  std::uint64_t first_line_ = 1;
  std::size_t columns_ = 1;
  std::mutex guard_;
  std::deque<slot> slots_;
  std::atomic<bool> stopped_{false};
  status result_;
};

status check_separators(const std::string& file, const row_rule& rule) {
  if (!rule.column_separator.empty() && !rule.row_separator.empty()) return {};
  return status::failure(stat_code::option_unknown, "a separator is empty")
      .in_file(file)
      .advise("give at least one character");
}

}  // namespace

status read_cells(const std::string& file, const cell_reading& reading, cell_array& cells,
                  std::vector<std::string>& names) {
  if (status s = check_separators(file, reading.rule); !s.ok()) return s;
  decoded_row header;
  status result = cell_reader(file, reading).rows(cells, header);
  names = std::move(header.cells);
  return result;
}

status read_columns(const std::string& file, const cell_reading& reading, cell_columns& result) {
  if (status s = check_separators(file, reading.rule); !s.ok()) return s;
  return cell_reader(file, reading).columns(result);
}

status write_cells(const std::string& file, const cell_array& cells, const cell_writing& writing) {
  text_sink sink;
  if (status s = sink.open(file, writing.append); !s.ok()) return s;
  std::string text;
  for (const cell_block& block : cells.blocks()) {
    const bool as_they_lie = writing.row_separator == "\n" &&
                             writing.column_separator == std::string(1, cells.separator);
    if (as_they_lie) {
      if (status s = sink.write(block.text.data(), block.bytes); !s.ok()) return s;
      continue;
    }
    for (std::size_t cell = 0; cell < block.count(); ++cell) {
      text += block.raw(cell);
      text += (cell + 1) % block.columns == 0 ? writing.row_separator : writing.column_separator;
      if (text.size() < usual_block_text) continue;
      if (status s = sink.write(text.data(), text.size()); !s.ok()) return s;
      text.clear();
    }
  }
  if (status s = sink.write(text.data(), text.size()); !s.ok()) return s;
  return sink.finish();
}

}  // namespace headrace
