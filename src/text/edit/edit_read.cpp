// Formatted reading, value by value, as gfortran does it. Next: edit_read_fields.cpp reads the
// fields.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "../../core/array_view.hpp"
#include "../../core/name_text.hpp"
#include "../kernels/number_types.hpp"
#include "../kernels/parse_one.hpp"
#include "edit_read_cursor.hpp"
#include "edit_read_elements.hpp"
#include "edit_read_fields.hpp"
#include "edit_transfer.hpp"
#include "edit_write_cursor.hpp"

namespace headrace {
namespace {

// ---- records: fields of a given width, positions, line ends ----

// A line ends at a line feed, with or without a carriage return before it; if a field runs into
// a carriage return alone, it ends there too. The end of the text ends its last line.
class edit_record_reader {
 public:
  // keep_lines: tabs to the left may come, so that a line is kept in memory from its beginning.
  edit_record_reader(byte_source& source, bool keep_lines)
      : cursor_(source), keep_lines_(keep_lines) {}

  // Reads the next width bytes, fewer at the end of the line. A comma ends the field if it may; it
  // is passed over. False when the text is at its end and this line does not exist.
  bool read_field(std::size_t width, bool comma_ends, std::string_view& field);

  // Moves to an offset in the line, or by so many bytes.
  void move_to(std::size_t offset);
  void move_by(std::size_t bytes) { move_to(offset() + bytes); }
  std::size_t offset() const noexcept { return passed_ + at_; }

  // Goes to the next line. False when the current line does not exist.
  bool next_line();

  // Where the last field begins, from 1.
  std::uint64_t line() const noexcept { return cursor_.lines_before() + line_; }
  std::uint64_t column() const noexcept { return field_offset_ + 1; }

  const status& failure() const noexcept { return cursor_.failure(); }

 private:
  void need(std::size_t bytes, char last);
  void read_line_end();
  void forget_fields();

  text_cursor cursor_;
  bool keep_lines_;
  std::string text_;              // what was read of the line, from passed_ on
  std::size_t passed_ = 0;        // bytes of the line that are kept no more
  std::size_t at_ = 0;            // the next byte in text_, possibly behind its end
  std::size_t field_offset_ = 0;  // of the last field in the line
  std::uint64_t line_ = 1;
  bool ended_ = false;   // the end of the line was read
  bool exists_ = false;  // a byte of the line or its end was read
};

// Reads the end of a line that comes next, if there is one.
void edit_record_reader::read_line_end() {
  const int c = cursor_.peek();
  ended_ = c == '\n' || c == '\r' || c == text_cursor::end;
  if (!ended_ || c == text_cursor::end) return;
  exists_ = true;
  cursor_.advance();
  if (c == '\r' && cursor_.peek() == '\n') cursor_.advance();
}

// Reads on until text_ has so many bytes, to the end of the line or to a last byte.
void edit_record_reader::need(std::size_t bytes, char last) {
  bool found = false;
  while (text_.size() < bytes && !ended_ && !found) {
    read_line_end();
    if (ended_) return;
    exists_ = true;
    std::string_view next = cursor_.in_memory().substr(0, bytes - text_.size());
    next = next.substr(0, next.find('\n'));
    next = next.substr(0, next.find('\r'));
    const std::size_t end = last == 0 ? std::string_view::npos : next.find(last);
    found = end != std::string_view::npos;
    if (found) next = next.substr(0, end + 1);
    text_ += next;
    cursor_.skip(next.size());
  }
}

void edit_record_reader::forget_fields() {
  constexpr std::size_t most = 4096;
  if (keep_lines_ || at_ < most || at_ > text_.size()) return;
  text_.erase(0, at_);
  passed_ += at_;
  at_ = 0;
}

bool edit_record_reader::read_field(std::size_t width, bool comma_ends, std::string_view& field) {
  forget_fields();
  field_offset_ = offset();
  std::size_t comma = comma_ends ? text_.find(',', at_) : std::string::npos;
  if (comma == std::string::npos) need(at_ + width, comma_ends ? ',' : '\0');
  if (!exists_ && cursor_.peek() == text_cursor::end) return false;
  field = std::string_view(text_).substr(at_ < text_.size() ? at_ : text_.size(), width);
  if (comma_ends) comma = field.find(',');
  field = field.substr(0, comma);
  at_ += field.size() + (comma != std::string_view::npos);
  return true;
}

void edit_record_reader::move_to(std::size_t offset) {
  at_ = offset > passed_ ? offset - passed_ : 0;
  need(at_, '\0');
}

bool edit_record_reader::next_line() {
  while (!ended_) {
    const int c = cursor_.peek();
    ended_ = c == '\n' || c == text_cursor::end;
    if (c == text_cursor::end) break;
    exists_ = true;
    cursor_.advance();
  }
  const bool existed = exists_;
  text_.clear();
  passed_ = 0;
  at_ = 0;
  ended_ = false;
  exists_ = false;
  ++line_;
  return existed;
}

status at_column(const edit_item& item, stat_code code, const char* what) {
  return status::failure(
      code, std::string(what) + " (column " + std::to_string(item.column) + " of the format)");
}

// gfortran refuses widths of zero before it reads anything.
status check_widths(const edit_format& format) {
  for (const edit_item& item : format.items)
    if (edit_cursor::is_data(item.kind) && item.width == 0)
      return at_column(item, stat_code::format_invalid, "cannot read a field of width zero")
          .advise("give the width of the field, or read list-directed");
  return {};
}

class edit_reader {
 public:
  edit_reader(const edit_format& format, byte_source& source, const array_view& array)
      : control_(format),
        pads_with_zeros_(format.dialect.has(edit_feature::blank_zero_padding)),
        record_(source, goes_back(format)),
        elements_(array),
        // A complex number is read as two reals.
        type_(array.type == type_class::complex ? type_class::real : array.type),
        parts_(array.type == type_class::complex ? 2 : 1),
        part_len_(array.elem_len / parts_) {
    modes_.strict_decimal = format.dialect.has(edit_feature::strict_decimal);
  }

  status read();

 private:
  status read_element();
  status find_data(const edit_item*& item, bool items_left);
  status apply(const edit_item& item);
  void tab(const edit_item& item);
  status read_part(const edit_item& item, char* part);
  bool takes(edit_kind kind) const noexcept;
  field_state convert(const edit_item& item, std::string_view field, std::size_t width, char* part);
  void copy_characters(std::string_view field, char* part) const noexcept;
  field_state convert_logical(std::string_view field, char* part) const noexcept;
  status bad_field(const edit_item& item, field_state state, std::string_view field) const;
  status end_of_text() const;

  edit_cursor control_;
  bool pads_with_zeros_;  // with BZ, if a line is short
  edit_record_reader record_;
  element_walker elements_;
  type_class type_;
  std::size_t parts_;
  std::size_t part_len_;
  read_modes modes_;
  std::string text_;
  std::string element_;
};

status edit_reader::read() {
  element_.resize(parts_ * part_len_);
  for (; !elements_.at_end(); elements_.advance(1)) {
    if (status result = read_element(); !result.ok()) return result;
    if (!element_.empty()) std::memcpy(elements_.element(), element_.data(), element_.size());
  }
  const edit_item* none = nullptr;
  if (status result = find_data(none, false); !result.ok()) return result;
  return record_.next_line() ? status() : end_of_text();
}

// An element changes when all of it was read.
status edit_reader::read_element() {
  for (std::size_t part = 0; part < parts_; ++part) {
    const edit_item* item = nullptr;
    if (status result = find_data(item, true); !result.ok()) return result;
    if (status result = read_part(*item, element_.data() + part * part_len_); !result.ok())
      return result;
  }
  return {};
}

// Goes on in the format to a data edit descriptor. Without items left, a colon or the end of the
// format ends it too.
status edit_reader::find_data(const edit_item*& found, bool items_left) {
  for (;;) {
    const edit_item* const item = control_.next();
    if (item == nullptr) {
      if (!items_left) return {};
      if (!control_.revert())
        return status::failure(stat_code::edit_mismatch,
                               "the format has no descriptor for the remaining values")
            .at_line(record_.line(), record_.column());
      if (!record_.next_line()) return end_of_text();
    } else if (edit_cursor::is_data(item->kind)) {
      found = item;
      return {};
    } else if (item->kind == edit_kind::colon) {
      if (!items_left) return {};
    } else if (status result = apply(*item); !result.ok()) {
      return result;
    }
  }
}

void edit_reader::tab(const edit_item& item) {
  const auto value = static_cast<std::size_t>(item.value);
  const std::size_t offset = record_.offset();
  if (item.kind == edit_kind::tab)
    record_.move_to(value == 0 ? 0 : value - 1);
  else if (item.kind == edit_kind::tab_left)
    record_.move_to(offset > value ? offset - value : 0);
  else
    record_.move_by(value);
}

status edit_reader::apply(const edit_item& item) {
  switch (item.kind) {
    case edit_kind::skip:
    case edit_kind::tab:
    case edit_kind::tab_left:
    case edit_kind::tab_right:
      tab(item);
      return {};
    case edit_kind::slash:
      return record_.next_line() ? status() : end_of_text();
    case edit_kind::literal:
      return at_column(item, stat_code::edit_mismatch, "a character string in a format for reading")
          .advise("skip characters with nX");
    default:
      modes_.set(item);
      return {};
  }
}

// Which descriptors gfortran lets read which types.
bool edit_reader::takes(edit_kind kind) const noexcept {
  const bool any = kind == edit_kind::general || kind == edit_kind::character;
  return takes_type(kind, type_) && (any || type_ != type_class::character);
}

status edit_reader::read_part(const edit_item& item, char* part) {
  if (!takes(item.kind))
    return at_column(item, stat_code::edit_mismatch, "the descriptor does not read this type")
        .expected(std::string("a descriptor for ") + value_description(type_), "another one")
        .at_line(record_.line(), record_.column());
  const bool as_text = item.kind == edit_kind::character ||
                       (item.kind == edit_kind::general && type_ == type_class::character);
  std::size_t width = item.kind == edit_kind::logical ? 1 : part_len_;
  if (item.width != absent) width = static_cast<std::size_t>(item.width);
  std::string_view field;
  const bool comma_ends = !as_text && modes_.decimal != ',';
  if (!record_.read_field(width, comma_ends, field)) return end_of_text();
  if (as_text) {
    copy_characters(field, part);
    return {};
  }
  const field_state state = convert(item, field, width, part);
  return state == field_state::good ? status() : bad_field(item, state, field);
}

field_state edit_reader::convert(const edit_item& item, std::string_view field, std::size_t width,
                                 char* part) {
  const int digits = item.digits == absent ? 0 : item.digits;
  const std::size_t zeros = pads_with_zeros_ && modes_.blank_zero ? width - field.size() : 0;
  switch (item.kind) {
    case edit_kind::binary:
      return read_radix_field(field, modes_.blank_zero, 1, part_len_, part, zeros);
    case edit_kind::octal:
      return read_radix_field(field, modes_.blank_zero, 3, part_len_, part, zeros);
    case edit_kind::hexadecimal:
      return read_radix_field(field, modes_.blank_zero, 4, part_len_, part, zeros);
    case edit_kind::logical:
      return convert_logical(field, part);
    default:
      break;
  }
  if (type_ == type_class::logical) return convert_logical(field, part);
  if (type_ == type_class::integer)
    return read_integer_field(field, modes_.blank_zero, part_len_, part, zeros);
  if (part_len_ == sizeof(float)) {
    float value = 0;
    const field_state state = read_real_field(field, digits, modes_, text_, value);
    std::memcpy(part, &value, sizeof value);
    return state;
  }
  double value = 0;
  const field_state state = read_real_field(field, digits, modes_, text_, value);
  std::memcpy(part, &value, sizeof value);
  return state;
}

// A field that is longer than the element gives its last characters.
void edit_reader::copy_characters(std::string_view field, char* part) const noexcept {
  if (field.size() > part_len_) field.remove_prefix(field.size() - part_len_);
  if (!field.empty()) std::memcpy(part, field.data(), field.size());
  std::memset(part + field.size(), ' ', part_len_ - field.size());
}

field_state edit_reader::convert_logical(std::string_view field, char* part) const noexcept {
  bool value = false;
  const field_state state = read_logical_field(field, value);
  store_bits(value, part_len_, part);
  return state;
}

status edit_reader::bad_field(const edit_item& item, field_state state,
                              std::string_view field) const {
  const bool large = state == field_state::too_large;
  const std::string where = " with column " + std::to_string(item.column) + " of the format";
  return status::failure(
             large ? stat_code::number_out_of_range : stat_code::bad_number,
             (large ? "a number is too large for its type" : "cannot read a field") + where)
      .expected(value_description(item.kind == edit_kind::logical ? type_class::logical : type_),
                excerpt(field))
      .at_line(record_.line(), record_.column());
}

status edit_reader::end_of_text() const {
  if (!record_.failure().ok()) return record_.failure();
  return status::failure(stat_code::end_of_file,
                         "the text ends after " + std::to_string(elements_.done()) + " values")
      .at_line(record_.line(), 1);
}

}  // namespace

status read_edited(const edit_format& format, byte_source& source, const array_view& array) {
  if (status s = check_text_kind(array.type, array.elem_len); !s.ok()) return s;
  if (status widths = check_widths(format); !widths.ok()) return widths;
  if (element_count(array).value_or(0) == 0) return {};
  if (!format.has_data)
    return status::failure(stat_code::edit_mismatch, "the format has no data edit descriptor");
  return edit_reader(format, source, array).read();
}

}  // namespace headrace
