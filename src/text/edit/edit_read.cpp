// Formatted reading, value by value, as gfortran does it. Next: edit_read_record.cpp finds the
// fields, edit_read_fields.cpp reads them.
#include <cstring>
#include <string>

#include "../../core/array_view.hpp"
#include "../bad_cells.hpp"
#include "../format.hpp"
#include "../kernels/parse_one.hpp"
#include "edit_read_elements.hpp"
#include "edit_read_fields.hpp"
#include "edit_read_record.hpp"
#include "edit_transfer.hpp"
#include "edit_write_cursor.hpp"

namespace headrace {
namespace {

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
  bool pads_with_zeros_;  // with BZ, where a line is short
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
