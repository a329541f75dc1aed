#include "read.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "../core/name_text.hpp"
#include "../core/threads.hpp"
#include "column_names.hpp"
#include "shape.hpp"

namespace headrace {
namespace {

constexpr std::size_t large_array = std::size_t{4} << 20;
constexpr std::size_t farthest_row = std::size_t{1} << 20;  // bytes to the one below a header

// A block of one line, so that it is taken apart as the others are. is_cut: it goes on.
void put_line(const std::string& line, bool is_cut, text_block& block) {
  block.memory.reserve(line.size() + 2 * parse_padding + 1);
  block.text = block.memory.data() + parse_padding;
  std::memcpy(block.text, line.data(), line.size());
  block.text[line.size()] = '\n';
  block.bytes = line.size() + 1;
  block.unfinished = is_cut;
}

status no_names() {
  return status::failure(stat_code::column_unknown,
                         "the file has no names of columns in a first line")
      .advise(
          "give the numbers of the columns, from 1, or header=\"yes\" if its first line has names");
}

status names_or_digits(const std::string& first_cell) {
  return status::failure(stat_code::bad_number, "the first line may be names or hexadecimal digits")
      .expected("digits, or names with another letter than a to f", first_cell)
      .advise("header=\"yes\" says that they are names, \"no\" that they are digits");
}

}  // namespace

// ---- the beginning of the file: shape line, lines to skip, header, number of columns ----

status text_row_reader::open(const std::string& file, const read_settings& settings) {
  rules_.file = file;
  rules_.settings = settings;
  threads_ = thread_count(settings.threads);
  input_.share_memory(threads_);
  return input_.open(file);
}

status text_row_reader::begin(type_class type, std::size_t elem_len) {
  const read_settings& settings = rules_.settings;
  cell_parser parser;
  status made = make_cell_parser(settings.text, {type, elem_len}, parser);
  if (made.ok())
    made = rules_.converter.prepare(std::move(parser),
                                    parse_missing(settings.missing, settings.text.decimal));
  if (!made.ok()) return std::move(made).in_file_once(rules_.file);
  if (status s = open_lines(); !s.ok()) return s;
  order_.begin_at_line(lines_before_);
  return {};
}

status text_row_reader::open_lines() {
  std::string line;
  bool found = false;
  const char* text = nullptr;
  std::size_t bytes = 0;
  if (status s = input_.peek(shape_mark.size(), text, bytes); !s.ok()) return s;
  if (std::string_view(text, bytes).substr(0, shape_mark.size()) == shape_mark) {
    if (status s = take_line(line, found); !s.ok()) return s;
    shape_ = stated_extents(line);
  }
  for (int skipped = 0; skipped < rules_.settings.skip_rows; ++skipped)
    if (status s = take_line(line, found); !s.ok() || !found) return s;
  return find_columns();
}

// Takes a line without its line feed.
status text_row_reader::take_line(std::string& line, bool& found) {
  if (status s = input_.take_line(line, found); !s.ok()) return s;
  lines_before_ += found ? 1 : 0;
  return {};
}

// Moves to the next line with a cell and shows it without taking it: of a line longer than a block
// the cells at its beginning. They are found once: quotes that became blanks hide no comment then.
status text_row_reader::first_line(text_block& line, row_block& cells, bool& found, bool& is_long) {
  for (;;) {
    const char* text = nullptr;
    std::size_t bytes = 0;
    if (status s = input_.peek(1, text, bytes); !s.ok()) return s;
    found = bytes > 0;
    if (!found) return {};
    const auto* const end = static_cast<const char*>(std::memchr(text, '\n', bytes));
    std::string content(text, end == nullptr ? bytes : static_cast<std::size_t>(end - text));
    is_long = end == nullptr && !input_.seen_to_end();
    if (is_long) content.resize(content.find_last_of(rules_.settings.text.delimiter) + 1);
    const line_trouble lone = find_lone_return(content.data(), content.size());
    const std::size_t lone_at = lone ? static_cast<std::size_t>(lone.at - content.data()) : 0;
    put_line(content, is_long, line);
    if (status s = cells.find(line, rules_); !s.ok()) return s;
    if (cells.has_trouble()) return cells.describe_trouble(rules_, {0, lines_before_, 0, 0});
    if (lone)
      return bad_row(lone.kind).in_file(rules_.file).at_line(lines_before_ + 1, lone_at + 1);
    if (cells.rows() > 0) return {};
    const std::size_t first = content.find_first_not_of(" \t");
    const bool is_comment = rules_.settings.comment != '\0' && first != std::string::npos &&
                            content[first] == rules_.settings.comment;
    if (is_long && !is_comment)
      return input_.cell_too_long({text, bytes}).at_line(lines_before_ + 1, 1);
    std::string ignored;
    if (status s = take_line(ignored, found); !s.ok()) return s;
  }
}

// Whether quotes say that values in the first line are names. That line and those behind it are
// not taken.
status text_row_reader::look_at_quotes(const row_block& cells, quotes_say& says) {
  const read_settings& settings = rules_.settings;
  const row_rule rule = row_rule::of_text(settings.text.delimiter, '"', settings.comment);
  decoded_row first;
  decoded_row below;
  std::vector<cell_look> looks;
  for (std::size_t field = 0; field < cells.fields(); ++field)
    looks.push_back(cells.look_of(field, rules_));
  for (std::size_t wanted = 1; wanted < farthest_row; wanted *= 2) {
    const char* text = nullptr;
    std::size_t bytes = 0;
    if (status s = input_.peek(wanted, text, bytes); !s.ok()) return s;
    const std::string lines = std::string(text, bytes) + (input_.seen_to_end() ? "\n" : "");
    std::uint64_t count = 0;
    scan_problem problem;
    const std::size_t end = first_row(lines, rule, first, count, problem);
    if (end == 0 || std::find(first.quoted.begin(), first.quoted.end(), true) == first.quoted.end())
      return {};
    if (first_row(std::string_view(lines).substr(end), rule, below, count, problem) > 0) break;
    if (input_.seen_to_end() || problem.kind != row_trouble::none) break;
    wanted = std::max(wanted, bytes);
  }
  if (first.cells.size() == looks.size())
    says = what_quotes_say(first, looks, below, settings.text.delimiter);
  return {};
}

// Takes the header, if there is one: a first line that looks like names and stands above numbers.
// Names above something else are an error, any other line is left to be read.
status text_row_reader::take_header(text_block& line, row_block& cells, bool& found,
                                    bool& is_long) {
  const bool by_name = !rules_.settings.column_names.empty();
  header_rule rule = rules_.settings.header;
  if (rule == header_rule::no) return {};
  const line_looks names = looks_of(cells, rules_);
  quotes_say says = quotes_say::nothing;
  if (rule == header_rule::automatic && !is_long && !(names.texts() > 0 && by_name))
    if (status s = look_at_quotes(cells, says); !s.ok()) return s;
  if (says == quotes_say::names) rule = header_rule::yes;
  if (by_name && rule == header_rule::automatic) {
    if (names.texts() == 0 && !is_ambiguous(cells, rules_))
      return no_names().in_file(rules_.file).at_line(lines_before_ + 1, 1);
    rule = header_rule::yes;
  }
  const bool ambiguous = is_ambiguous(cells, rules_);
  const std::string first_cell = ambiguous ? excerpt(cells.cell(0)) : "";
  if (rule == header_rule::automatic && !ambiguous && !looks_like_names(names))
    return says == quotes_say::unclear && names.texts() == 0 ? unclear_quotes(cells) : status();
  if (std::memchr(line.text, '\0', line.bytes) != nullptr)
    return bad_row(row_trouble::null_byte).in_file(rules_.file).at_line(lines_before_ + 1, 1);
  rules_.file_columns = cells.fields();
  has_header_ = true;
  cut_header_ = is_long;
  if (status s = take_line(first_line_, found); !s.ok()) return s;
  const std::uint64_t header_line = lines_before_;
  if (status s = first_line(line, cells, found, is_long); !s.ok()) return s;
  if (rule == header_rule::yes || (ambiguous && found && has_prefixes(cells))) return {};
  if (ambiguous) return names_or_digits(first_cell).in_file(rules_.file).at_line(header_line, 1);
  line_looks below;
  if (found) below = looks_of(cells, rules_);
  if (is_header_above(names, found ? &below : nullptr)) return {};
  return status::failure(stat_code::bad_number, "the first line is neither a header nor numbers")
      .expected("names above numbers",
                found ? excerpt(names.first_text) + " above " + excerpt(below.first_text)
                      : excerpt(names.first_text) + " alone")
      .in_file(rules_.file)
      .at_line(lines_before_ + (found ? 1 : 0), 1)
      .advise(
          "header=\"yes\" or \"no\" decides; check the delimiter= and columns=, or leave lines out "
          "with skip_rows=");
}

// Numbers in quotes alone, or above missing values: names as writers mark them, or values.
status text_row_reader::unclear_quotes(const row_block& cells) const {
  return status::failure(stat_code::bad_number, "the first line may be names, or values in quotes")
      .expected("header=, or digits alone in quotes above values", excerpt(cells.cell(0)))
      .in_file(rules_.file)
      .at_line(lines_before_ + 1, 1)
      .advise("header=\"yes\" says that they are names, \"no\" that they are values");
}

status text_row_reader::find_columns() {
  text_block line;
  row_block cells;
  bool found = false;
  bool is_long = false;
  if (status s = first_line(line, cells, found, is_long); !s.ok()) return s;
  if (!found && !rules_.settings.column_names.empty()) return no_names().in_file(rules_.file);
  if (!found) return {};
  if (status s = take_header(line, cells, found, is_long); !s.ok()) return s;
  if (found) rules_.file_columns = cells.fields();
  is_long = is_long && found;
  if (is_long)
    if (status s = count_long_line(); !s.ok()) return s;
  has_rows_ = found;
  const char delimiter = rules_.settings.text.delimiter;
  if (has_header_ && !cut_header_) {
    decoded_row names;
    std::uint64_t lines = 0;
    scan_problem problem;
    const row_rule rule = row_rule::of_text(delimiter, '"', rules_.settings.comment);
    first_row(first_line_ + "\n", rule, names, lines, problem);
    drop_mark(names, found ? rules_.file_columns : 0, rule.blanks_separate);
    names_ = std::move(names.cells);
  }
  return choose_columns();
}

status text_row_reader::choose_columns() {
  if (!rules_.settings.column_names.empty()) return choose_named();
  for (const int column : rules_.settings.columns) {
    if (column < 1 || static_cast<std::size_t>(column) > rules_.file_columns)
      return status::failure(stat_code::column_unknown, "columns= names no column of the file")
          .expected("1 to " + std::to_string(rules_.file_columns), std::to_string(column))
          .in_file(rules_.file)
          .advise("columns are numbered from 1");
    rules_.columns.push_back(static_cast<std::size_t>(column - 1));
  }
  return {};
}

// The header has a name for each column.
status text_row_reader::check_names() const {
  if (cut_header_)
    return status::failure(stat_code::line_too_long, "the header is too long for columns by name")
        .in_file(rules_.file)
        .advise("give the numbers of the columns");
  if (has_rows_ && names_.size() != rules_.file_columns)
    return status::failure(stat_code::column_unknown,
                           "the header has another number of names than the rows have columns")
        .expected(std::to_string(rules_.file_columns), std::to_string(names_.size()))
        .in_file(rules_.file)
        .advise("check the delimiter=, or give the numbers of the columns");
  return {};
}

status text_row_reader::choose_named() {
  if (status s = check_names(); !s.ok()) return s;
  for (const std::string& name : rules_.settings.column_names) {
    std::size_t index = 0;
    if (status s = find_column_name(names_, name, index); !s.ok())
      return std::move(s).in_file(rules_.file);
    rules_.columns.push_back(index);
  }
  return {};
}

status text_row_reader::names(std::vector<std::string>& names) const {
  names = names_;
  if (!has_header_) return {};
  if (status s = check_names(); !s.ok()) return s;
  if (rules_.columns.empty()) return {};
  names.clear();
  for (const std::size_t column : rules_.columns)
    if (column < names_.size()) names.push_back(names_[column]);
  return {};
}

// ---- lines longer than a block, which are read in pieces: no row needs to be in memory ----

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

// ---- blocks of rows, by several threads ----

status text_row_reader::next_slot(slot& from, bool& found) {
  from.used = 0;
  if (status s = input_.next(from.block, found); !s.ok() || !found) return s;
  return from.rows.find(from.block, rules_);
}

// The next rows of a slot that are wanted.
status text_row_reader::convert(slot& from, const target& to) {
  if (from.rows.has_pieces()) return convert_pieces(from, to);
  const std::size_t first = from.used;
  const std::uint64_t end = to.first + to.rows;
  const std::uint64_t left = end - std::min(end, from.position.rows + first);
  const auto count =
      static_cast<std::size_t>(std::min<std::uint64_t>(from.rows.rows() - first, left));
  if (from.rows.has_trouble() && count > 0 && first + count > from.rows.rows_before_trouble())
    return from.rows.describe_trouble(rules_, from.position);
  from.used += count;
  if (to.matrix == nullptr || count == 0) return {};
  const text_matrix& matrix = *to.matrix;
  const auto row = static_cast<std::size_t>(from.position.rows + first - to.first);
  char* values = matrix.in_place(row);
  const bool direct = values != nullptr;
  if (!direct) {
    from.tile.reserve(count * matrix.columns() * matrix.array().elem_len);
    values = from.tile.data();
  }
  status result = from.rows.convert(count, rules_, from.position, values);
  if (result.ok() && !direct) matrix.scatter(row, count, values);
  return result;
}

void text_row_reader::keep(std::unique_ptr<slot> from) {
  const std::lock_guard<std::mutex> lock(guard_);
  const auto place = std::find_if(waiting_.begin(), waiting_.end(), [&](const auto& other) {
    return other->block.index > from->block.index;
  });
  waiting_.insert(place, std::move(from));
}

status text_row_reader::tell_progress() const {
  return report_progress(progress_, input_.taken(), input_.size(), "reading", input_.file());
}

status text_row_reader::read(const text_matrix* matrix, std::uint64_t rows, std::uint64_t& count) {
  first_failure failure;
  const target to{matrix, given_, std::min(rows, UINT64_MAX - given_)};
  const std::uint64_t end = to.first + to.rows;
  count = 0;
  // Rows of blocks that an earlier call has not used up.
  while (failure_.ok() && !waiting_.empty()) {
    failure_ = convert(*waiting_.front(), to);
    if (!failure_.ok() || !waiting_.front()->finished()) break;
    waiting_.erase(waiting_.begin());
  }
  if (!failure_.ok()) return failure_;
  // One thread's share: a block stays in its cache from the file to the array.
  const auto read_blocks = [&](int thread) {
    try {
      auto own = std::make_unique<slot>();
      bool found = true;
      while (!order_.stopped() && order_.rows() < end) {
        own->block.index = SIZE_MAX;
        status result = next_slot(*own, found);
        if (result.ok() && !found) return;
        const std::size_t index = own->block.index;
        if (result.ok()) {
          if (!order_.pass(index, own->rows, own->position)) return;
          result = convert(*own, to);
          if (result.ok() && !own->finished()) keep(std::exchange(own, std::make_unique<slot>()));
        }
        // A callback of the program is called in the program's own thread.
        if (result.ok() && thread == 0) result = tell_progress();
        if (result.ok()) continue;
        failure.add(index, std::move(result));
        order_.stop();
      }
    } catch (...) {
      order_.stop();
      throw;
    }
  };
  const auto useful =
      std::clamp<std::uint64_t>(input_.blocks_left(), 1, static_cast<std::uint64_t>(threads_));
  if (order_.rows() < end) {
    other_threads others(static_cast<int>(useful), read_blocks);
    read_blocks(0);
    others.join();
  }
  failure_ = failure.take();
  if (!failure_.ok()) return failure_;
  count = std::min(order_.rows() - given_, to.rows);
  given_ += count;
  return {};
}

status text_row_reader::at_end(bool& end) {
  for (;;) {
    end = false;
    if (!failure_.ok()) return failure_;
    if (!waiting_.empty()) return {};
    auto next = std::make_unique<slot>();
    bool found = false;
    failure_ = next_slot(*next, found);
    if (failure_.ok() && found) failure_ = tell_progress();
    if (!failure_.ok()) return failure_;
    end = !found;
    if (end) return {};
    order_.pass(next->block.index, next->rows, next->position);
    if (!next->finished()) keep(std::move(next));
  }
}

namespace {

status wrong_shape(stat_code code, const std::string& file, const std::string& expected,
                   const std::string& found) {
  return status::failure(code, "the file does not fit the array")
      .expected(expected, found)
      .in_file(file)
      .advise("read into an array with the shape of the file");
}

std::string count_text(std::uint64_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace

array_view fitting_view(const array_view& array, std::size_t file_columns) {
  if (array.array_rank != 1 || file_columns <= 1 ||
      file_columns != static_cast<std::size_t>(array.extent[0]))
    return array;
  array_view row = array;
  row.array_rank = 2;
  row.extent[0] = 1;
  row.extent[1] = array.extent[0];
  row.stride[1] = array.stride[0];
  return row;
}

status read_text(const std::string& file, const array_view& array, const read_settings& settings) {
  if (!settings.text.edit.empty()) return read_text_edited(file, array, settings);
  text_row_reader reader;
  if (status s = reader.open(file, settings); !s.ok()) return s;
  if (status s = reader.begin(array.type, array.elem_len); !s.ok()) return s;
  if (status s = check_stated_shape(file, array, settings, reader.shape()); !s.ok()) return s;
  const text_matrix matrix(fitting_view(array, reader.columns()));
  bool end = false;
  if (status s = reader.at_end(end); !s.ok()) return s;
  const bool nothing_wanted = matrix.rows() == 0 || matrix.columns() == 0;
  if (!end && !nothing_wanted && reader.columns() != matrix.columns())
    return wrong_shape(stat_code::row_length, file, count_text(matrix.columns(), "column"),
                       count_text(reader.columns(), "column"));
  if (is_contiguous(array) && byte_count(array).value_or(0) >= large_array)
    advise_huge_pages(array.base, *byte_count(array));
  std::uint64_t count = 0;
  if (!nothing_wanted)
    if (status s = reader.read(&matrix, matrix.rows(), count); !s.ok()) return s;
  if (status s = reader.check_unchanged(); !s.ok()) return s;
  std::uint64_t rest = 0;
  if (status s = reader.count_rest(rest); !s.ok()) return s;
  const std::size_t rows = matrix.columns() == 0 ? 0 : matrix.rows();
  if (count + rest == rows) return {};
  return wrong_shape(stat_code::row_count, file, count_text(rows, "row"),
                     count_text(count + rest, "row"));
}

}  // namespace headrace
