// List-directed reading: separators, null values, repeats and the end of the list, as gfortran
// takes them. Next: list_read_values.cpp reads one value, list_read_blocks.cpp many at once.
#include <cstring>
#include <string>

#include "../../core/array_view.hpp"
#include "../format.hpp"
#include "edit_read_elements.hpp"
#include "edit_transfer.hpp"
#include "list_read_blocks.hpp"
#include "list_read_values.hpp"

namespace headrace {
namespace {

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
