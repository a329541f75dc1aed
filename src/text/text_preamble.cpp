// The beginning of a text file: shape line, lines to skip, header, number of columns.
#include <algorithm>
#include <cstring>

#include "../core/threads.hpp"
#include "column_names.hpp"
#include "text_header.hpp"
#include "text_read.hpp"
#include "text_shape.hpp"

namespace headrace {
namespace {

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

}  // namespace

status text_row_reader::open(const std::string& file, const read_settings& settings) {
  rules_.file = file;
  rules_.settings = settings;
  threads_ = thread_count(settings.threads);
  input_.share_memory(threads_);
  return input_.open(file);
}

status text_row_reader::begin(type_class type, std::size_t elem_len) {
  if (status s = make_cell_parser(rules_.settings.text, type, elem_len, rules_.parser); !s.ok())
    return std::move(s).in_file_once(rules_.file);
  if (status s = rules_.prepare_missing(type); !s.ok())
    return std::move(s).in_file_once(rules_.file);
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
    if (lone) return lone.describe().in_file(rules_.file).at_line(lines_before_ + 1, lone_at + 1);
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

// Takes the header, if there is one: a first line that looks like names and stands above numbers.
// Names above something else are an error, any other line is left to be read.
status text_row_reader::take_header(text_block& line, row_block& cells, bool& found,
                                    bool& is_long) {
  const bool by_name = !rules_.settings.column_names.empty();
  header_rule rule = rules_.settings.header;
  if (rule == header_rule::no) return {};
  const line_looks names = looks_of(cells, rules_);
  if (by_name && rule == header_rule::automatic) {
    if (names.texts() == 0 && !is_ambiguous(cells, rules_))
      return no_names().in_file(rules_.file).at_line(lines_before_ + 1, 1);
    rule = header_rule::yes;
  }
  const bool ambiguous = is_ambiguous(cells, rules_);
  const std::string first_cell = ambiguous ? excerpt(cells.cell(0)) : "";
  if (rule == header_rule::automatic && !ambiguous && !looks_like_names(names)) return {};
  if (std::memchr(line.text, '\0', line.bytes) != nullptr)
    return null_byte().in_file(rules_.file).at_line(lines_before_ + 1, 1);
  rules_.file_columns = cells.fields();
  has_header_ = true;
  cut_header_ = is_long;
  if (status s = take_line(first_line_, found); !s.ok()) return s;
  const std::uint64_t header_line = lines_before_;
  if (status s = first_line(line, cells, found, is_long); !s.ok()) return s;
  if (rule == header_rule::yes || (ambiguous && found && has_prefixes(cells))) return {};
  if (ambiguous)
    return status::failure(stat_code::bad_number,
                           "the first line may be names or hexadecimal digits")
        .expected("digits, or names with another letter than a to f", first_cell)
        .in_file(rules_.file)
        .at_line(header_line, 1)
        .advise("header=\"yes\" says that they are names, \"no\" that they are digits");
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
  // Without rows a mark before a blank belongs to no column.
  const std::size_t columns = rules_.file_columns - (!found && delimiter == ' ' ? 1 : 0);
  if (has_header_ && !cut_header_)
    names_ = names_of_header(first_line_, delimiter, rules_.settings.comment, columns);
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

}  // namespace headrace
