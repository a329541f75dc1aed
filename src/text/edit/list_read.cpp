// List-directed reading: separators, null values, repeats and the end of the list, as gfortran
// takes them. Next: list_read_values.cpp reads one value.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "../../core/array_view.hpp"
#include "../kernels/number_types.hpp"
#include "../kernels/parse_numbers.hpp"
#include "edit_dialect.hpp"
#include "edit_read_cursor.hpp"
#include "edit_read_elements.hpp"
#include "edit_transfer.hpp"
#include "list_read_values.hpp"

namespace headrace {
namespace {

// ---- lines of plain numbers, many at once: the fast path. Next: ../kernels/parse_numbers.hpp ----

class list_block_reader {
 public:
  list_block_reader(text_cursor& cursor, const array_view& array, char decimal,
                    const edit_dialect& dialect);

  // At the beginning of a line: reads lines as long as they hold nothing but numbers between
  // separators of one sort. The first other line is left to the exact reader. Returns false when
  // no line was read.
  bool read_lines(element_walker& elements);

 private:
  bool read_block(std::string_view lines, element_walker& elements);
  std::size_t parse(std::string_view lines, std::size_t fields);
  void store(std::size_t count, element_walker& elements) const noexcept;

  text_cursor& cursor_;
  type_class type_;
  std::size_t elem_len_;
  char decimal_;
  bool takes_semicolons_;
  bool takes_points_;
  bool takes_lone_returns_;
  // After a line that is no plain line, some more are left to the exact reader.
  std::size_t lines_to_leave_ = 0;
  std::size_t patience_ = 1;
  std::vector<std::uint32_t> ends_;
  std::vector<std::uint32_t> line_fields_;
  std::vector<char> values_;
  field_map map_;
};

constexpr std::size_t block_bytes = 32768;
constexpr std::size_t most_lines_to_leave = 4096;

// The lines that end within block_bytes, or the first alone.
std::string_view one_block(std::string_view lines) noexcept {
  if (lines.size() <= block_bytes) return lines;
  std::size_t last = lines.rfind('\n', block_bytes - 1);
  if (last == std::string_view::npos) last = lines.find('\n', block_bytes);
  return lines.substr(0, last + 1);
}

// What separates the fields of the first line.
char delimiter_of(std::string_view lines, char decimal, bool takes_semicolons) noexcept {
  const std::string_view line = lines.substr(0, lines.find('\n'));
  if (takes_semicolons && line.find(';') != std::string_view::npos) return ';';
  return decimal != ',' && line.find(',') != std::string_view::npos ? ',' : ' ';
}

// A carriage return that ends no line.
bool has_lone_return(std::string_view lines) noexcept {
  for (std::size_t at = lines.find('\r'); at != std::string_view::npos;
       at = lines.find('\r', at + 1))
    if (lines[at + 1] != '\n') return true;  // the last byte is a line feed
  return false;
}

std::size_t count_lines(std::string_view text) noexcept {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

list_block_reader::list_block_reader(text_cursor& cursor, const array_view& array, char decimal,
                                     const edit_dialect& dialect)
    : cursor_(cursor),
      type_(array.type),
      elem_len_(array.elem_len),
      decimal_(decimal),
      takes_semicolons_(decimal == ',' || !dialect.has(edit_feature::strict_separators)),
      takes_points_(decimal != ',' || !dialect.has(edit_feature::strict_decimal)),
      takes_lone_returns_(!dialect.has(edit_feature::strict_separators)) {}

bool list_block_reader::read_lines(element_walker& elements) {
  if (type_ != type_class::real && type_ != type_class::integer) return false;
  if (lines_to_leave_ > 0) {
    --lines_to_leave_;
    return false;
  }
  bool any = false;
  while (!elements.at_end()) {
    const std::string_view lines = cursor_.complete_lines();
    if (lines.empty()) break;
    const std::uint64_t line = cursor_.line();
    const bool plain = read_block(one_block(lines), elements);
    any = any || cursor_.line() != line;
    if (plain) {
      patience_ = 1;
      continue;
    }
    lines_to_leave_ = patience_ - 1;
    patience_ = any ? 1 : std::min(2 * patience_, most_lines_to_leave);
    break;
  }
  return any;
}

// False when a line was left over.
bool list_block_reader::read_block(std::string_view lines, element_walker& elements) {
  if (!takes_lone_returns_ && has_lone_return(lines)) return false;
  if (!takes_points_ && lines.find('.') != std::string_view::npos) return false;
  if (ends_.size() < lines.size() + 65) {
    ends_.resize(lines.size() + 65);
    line_fields_.resize(lines.size() + 64);
  }
  ends_[0] = ~std::uint32_t(0);
  map_.ends = ends_.data() + 1;
  map_.line_fields = line_fields_.data();
  field_style style;
  style.delimiter = delimiter_of(lines, decimal_, takes_semicolons_);
  style.decimal = decimal_;
  const char none[2] = {0, 0};
  find_fields(lines.data(), lines.size(), style, none, map_);

  if (map_.fields == 0) return false;
  std::size_t wanted = map_.fields;
  wanted = std::min(wanted, elements.left());
  const std::size_t good = parse(lines, wanted);
  if (good == wanted) {
    store(good, elements);
    cursor_.skip_lines(lines.size(), map_.lines);
    return true;
  }
  // Only whole lines count: the exact reader begins at the beginning of a line.
  const std::uint32_t* const line =
      std::upper_bound(map_.line_fields, map_.line_fields + map_.lines, good);
  const auto whole_lines = static_cast<std::size_t>(line - map_.line_fields);
  if (whole_lines == 0) return false;
  const std::size_t fields = map_.line_fields[whole_lines - 1];
  if (fields == 0) return false;
  store(fields, elements);
  const std::size_t bytes = lines.find('\n', map_.ends[fields - 1]) + 1;
  cursor_.skip_lines(bytes, count_lines(lines.substr(0, bytes)));
  return false;
}

// Into a buffer: kernels may write more than the good values.
std::size_t list_block_reader::parse(std::string_view lines, std::size_t fields) {
  if (values_.size() < fields * elem_len_ + parse_padding)
    values_.resize(fields * elem_len_ + parse_padding);
  return with_number(type_, elem_len_, [&](auto number) {
    field_state state = field_state::good;
    return parse_fields(lines.data(), map_.ends, 0, fields, {decimal_, true},
                        reinterpret_cast<decltype(number)*>(values_.data()), state);
  });
}

void list_block_reader::store(std::size_t count, element_walker& elements) const noexcept {
  const char* from = values_.data();
  while (count > 0) {
    const std::size_t run = std::min(count, elements.left_in_run());
    std::memcpy(elements.element(), from, run * elem_len_);
    elements.advance(run);
    from += run * elem_len_;
    count -= run;
  }
}

class list_reader {
 public:
  list_reader(byte_source& source, char decimal, const array_view& array,
              const edit_dialect& dialect)
      : cursor_(source),
        decimal_(decimal),
        is_strict_(dialect.has(edit_feature::strict_separators)),
        refuses_semicolons_(is_strict_ && decimal != ','),
        values_(cursor_, array, decimal, dialect),
        blocks_(cursor_, array, decimal, dialect),
        elements_(array),
        elem_len_(array.elem_len) {}

  status read();

 private:
  bool skip_blanks();
  bool is_separator(int c) const noexcept;
  status read_separator();
  status refused_semicolon() const;
  void begin_line();
  status find_first_value(bool& found);
  void find_next_value();
  bool read_plain_lines();
  status read_value();
  status end_of_text() const;

  text_cursor cursor_;
  char decimal_;
  bool is_strict_;
  bool refuses_semicolons_;
  list_value_reader values_;
  list_value value_;
  list_block_reader blocks_;
  element_walker elements_;
  std::size_t elem_len_;

  bool after_comma_ = false;    // the last separator was a comma or semicolon
  bool after_line_ = false;     // the last separator was the end of a line
  bool after_refused_ = false;  // a semicolon that separates nothing was passed over
  bool complete_ = false;       // a slash was read
};

// True when a line feed comes next.
bool list_reader::skip_blanks() {
  int c = cursor_.peek();
  while (c == ' ' || c == '\t' || c == '\r') {
    cursor_.advance();
    c = cursor_.peek();
  }
  return c == '\n';
}

bool list_reader::is_separator(int c) const noexcept {
  return values_.is_separator(c) || (c == ';' && decimal_ == ',');
}

status list_reader::refused_semicolon() const {
  return status::failure(stat_code::bad_number,
                         "a semicolon separates values only with a decimal comma")
      .expected("a blank, a comma or the end of the line", "a semicolon")
      .at_line(cursor_.line(), cursor_.column())
      .advise("give decimal=\",\"; C and Python may also say dialect=\"gfortran12\"");
}

// Goes over the separator behind a value: blanks with at most one comma, semicolon, slash or end
// of line.
status list_reader::read_separator() {
  const bool blank = cursor_.peek() == ' ' || cursor_.peek() == '\t';
  after_comma_ = false;
  after_line_ = false;
  if (is_strict_ && cursor_.peek() == '\r') {  // alone, it is all of the separator
    cursor_.advance();
    if (cursor_.peek() != '\n') return {};
  }
  skip_blanks();
  const int c = cursor_.peek();
  if ((c == ',' && decimal_ != ',') || c == ';') {
    // Behind a blank gfortran takes it for two commas, which would leave a value out: it is refused
    // when a value follows, and only then.
    after_refused_ = c == ';' && refuses_semicolons_;
    if (after_refused_ && !blank) return refused_semicolon();
    cursor_.advance();
    after_comma_ = true;
    skip_blanks();
  } else if (c == '/') {
    cursor_.advance();
    complete_ = true;
  } else if (c == '\n') {
    cursor_.advance();
    after_line_ = true;
  }
  return {};
}

// Goes over empty lines. A comma that begins a line belongs to the end of the line before, unless
// a comma stands there already.
void list_reader::begin_line() {
  for (;;) {
    const bool at_line_end = skip_blanks();
    const int c = cursor_.peek();
    if (at_line_end) {
      cursor_.advance();
    } else if (c == '/') {
      cursor_.advance();
      complete_ = true;
      return;
    } else if (c == ',' && decimal_ != ',' && !after_comma_) {
      cursor_.advance();
      if (!skip_blanks()) return;
    } else {
      return;
    }
  }
}

// Not found: the first value is null because a separator stands before it.
status list_reader::find_first_value(bool& found) {
  found = true;
  const bool at_line_end = skip_blanks();
  if (cursor_.peek() == text_cursor::end || !is_separator(cursor_.peek())) return {};
  if (status result = read_separator(); !result.ok()) return result;
  if (at_line_end) begin_line();
  found = at_line_end;
  return {};
}

void list_reader::find_next_value() {
  if (skip_blanks() || after_line_) begin_line();
}

// Reads one value, which may be null, and the separator behind it.
status list_reader::read_value() {
  const int c = cursor_.peek();
  if (after_refused_) return refused_semicolon();
  if (c == text_cursor::end) return end_of_text();
  if (values_.is_separator(c)) {
    if (c == ';' && refuses_semicolons_) return refused_semicolon();
    value_.repeat = 1;
    value_.is_null = true;
  } else if (status result = values_.read(value_); !result.ok()) {
    return result;
  }
  if (status result = read_separator(); !result.ok()) return result;
  for (; value_.repeat > 0 && !elements_.at_end(); --value_.repeat) {
    if (!value_.is_null && elem_len_ > 0)
      std::memcpy(elements_.element(), value_.bytes.data(), elem_len_);
    elements_.advance(1);
  }
  return {};
}

status list_reader::end_of_text() const {
  if (!cursor_.failure().ok()) return cursor_.failure();
  const std::size_t done = elements_.done();
  return status::failure(stat_code::end_of_file,
                         "the text ends after " + std::to_string(done) + " values")
      .at_line(cursor_.line(), cursor_.column());
}

// Reads plain lines at once where a line begins. Returns false when nothing is left to read.
bool list_reader::read_plain_lines() {
  const bool at_line_start = cursor_.column() == 1 && (after_line_ || cursor_.line() == 1);
  if (at_line_start && blocks_.read_lines(elements_)) after_line_ = true;
  return !elements_.at_end();
}

status list_reader::read() {
  if (elements_.at_end()) return {};
  bool found = false;
  if (!read_plain_lines()) return {};
  if (elements_.done() == 0) {
    if (status result = find_first_value(found); !result.ok()) return result;
    if (!found) elements_.advance(1);
  }
  while (!complete_ && !elements_.at_end()) {
    if (!found) {
      if (!read_plain_lines()) break;
      find_next_value();
      if (complete_) break;
    }
    found = false;
    if (status result = read_value(); !result.ok())
      return cursor_.failure().ok() ? result : cursor_.failure();
  }
  return {};
}

}  // namespace

status read_list_directed(byte_source& source, char decimal, const array_view& array,
                          const edit_dialect& dialect) {
  if (status s = check_text_kind(array.type, array.elem_len); !s.ok()) return s;
  return list_reader(source, decimal, array, dialect).read();
}

}  // namespace headrace
