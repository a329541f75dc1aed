// What WRITE(unit, *) array writes: one record, every value in the width of its kind. Next:
// edit_write_values.hpp and edit_write_real.hpp write the fields.
#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>

#include "../kernels/number_types.hpp"
#include "edit_transfer.hpp"
#include "edit_write_modes.hpp"
#include "edit_write_real.hpp"
#include "edit_write_values.hpp"

namespace headrace {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{256} << 10;
constexpr std::size_t most_field_bytes = 1024;  // of anything but characters

int integer_width(std::size_t bytes) noexcept {
  switch (bytes) {
    case 1:
      return 4;
    case 2:
      return 6;
    case 4:
      return 11;
    default:
      return 20;
  }
}

class list_writer {
 public:
  list_writer(const array_view& array, char decimal, byte_sink& sink);

  status write_items(const char* items, std::size_t n);
  status finish();

 private:
  status write_characters(const char* text, std::size_t bytes);
  char* put_item(char* out, const char* item) const noexcept;
  char* put_complex(char* out, const char* item) const noexcept;
  status flush();

  type_class type_;
  std::size_t bytes_;
  char decimal_;
  byte_sink& sink_;
  edit_item integer_;
  edit_item logical_;
  std::optional<real_field> real_;
  std::unique_ptr<char[]> buffer_{new char[buffer_bytes]};
  char* next_ = buffer_.get();
  bool is_empty_ = true;
};

list_writer::list_writer(const array_view& array, char decimal, byte_sink& sink)
    : type_(array.type), bytes_(array.elem_len), decimal_(decimal), sink_(sink) {
  integer_.kind = edit_kind::integer;
  integer_.width = integer_width(bytes_);
  logical_.kind = edit_kind::logical;
  logical_.width = 1;
  edit_modes modes;
  modes.decimal = decimal;
  if (type_ == type_class::real) real_ = real_field::list_directed(modes, bytes_);
  if (type_ == type_class::complex) real_ = real_field::list_directed_part(modes, bytes_ / 2);
}

status list_writer::flush() {
  const auto bytes = static_cast<std::size_t>(next_ - buffer_.get());
  next_ = buffer_.get();
  return bytes > 0 ? sink_.write(buffer_.get(), bytes) : status();
}

// (re,im) without blanks, at the right of its field.
char* list_writer::put_complex(char* out, const char* item) const noexcept {
  char text[most_field_bytes / 4];
  char* end = text;
  *end++ = '(';
  end = real_->write(end, load_real(item, bytes_ / 2));
  *end++ = decimal_ == ',' ? ';' : ',';
  end = real_->write(end, load_real(item + bytes_ / 2, bytes_ / 2));
  *end++ = ')';
  const auto length = static_cast<std::size_t>(end - text);
  const std::size_t width = bytes_ == 8 ? 35 : 53;
  const std::size_t blanks = width > length ? width - length : 0;
  std::memset(out, ' ', blanks);
  std::memcpy(out + blanks, text, length);
  return out + blanks + length;
}

char* list_writer::put_item(char* out, const char* item) const noexcept {
  switch (type_) {
    case type_class::integer:
      return put_integer(out, integer_, false, load_integer(item, bytes_));
    case type_class::logical:
      return put_logical(out, logical_, load_integer(item, bytes_) != 0);
    case type_class::complex:
      return put_complex(out, item);
    default:
      return real_->write(out, load_real(item, bytes_));
  }
}

// One after another, without anything between.
status list_writer::write_characters(const char* text, std::size_t bytes) {
  status result;
  while (bytes > 0 && result.ok()) {
    const auto room = static_cast<std::size_t>(buffer_.get() + buffer_bytes - next_) - 1;
    const std::size_t count = std::min(room, bytes);
    std::memcpy(next_, text, count);
    next_ += count;
    text += count;
    bytes -= count;
    if (count == room) result = flush();
  }
  return result;
}

status list_writer::write_items(const char* items, std::size_t n) {
  const bool is_text = type_ == type_class::character;
  if (is_text && is_empty_) *next_++ = ' ';
  is_empty_ = false;
  if (is_text) return write_characters(items, n * bytes_);
  for (std::size_t i = 0; i < n; ++i) {
    *next_++ = ' ';
    next_ = put_item(next_, items + i * bytes_);
    if (next_ + most_field_bytes < buffer_.get() + buffer_bytes) continue;
    status result = flush();
    if (!result.ok()) return result;
  }
  return {};
}

status list_writer::finish() {
  *next_++ = '\n';
  return flush();
}

}  // namespace

status write_list_directed(const array_view& array, char decimal, byte_sink& sink) {
  status result = check_text_kind(array.type, array.elem_len);
  if (!result.ok()) return result;
  list_writer writer(array, decimal, sink);
  if (array.elem_len == 0 && element_count(array).value_or(0) > 0)
    result = writer.write_items("", 1);  // strings without a character
  for_each_run(array, [&](const char* run, std::size_t run_bytes) {
    result = writer.write_items(run, run_bytes / array.elem_len);
    return result.ok();
  });
  return result.ok() ? writer.finish() : result;
}

}  // namespace headrace
