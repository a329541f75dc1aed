// Whole arrays through a Fortran format, value by value. Next: edit_write_cursor.hpp (which
// descriptor comes next), edit_write_values.hpp and edit_write_real.hpp (what stands in a field).
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../core/streams.hpp"
#include "../kernels/number_types.hpp"
#include "edit_read_elements.hpp"
#include "edit_transfer.hpp"
#include "edit_write_cursor.hpp"
#include "edit_write_modes.hpp"
#include "edit_write_real.hpp"
#include "edit_write_values.hpp"

namespace headrace {
namespace {

// ---- the record: fields at positions, and the moves of X, T, TL and TR, which take effect only
// when a field or a literal follows. Whole records leave in large blocks. ----

class edit_record_writer {
 public:
  // goes_back: T or TL may come, so that a record is kept in memory to its end. exact_tabs: see
  // edit_feature.
  edit_record_writer(byte_sink& sink, bool goes_back, bool exact_tabs);

  // Where the next field goes, with room for so many bytes. Null when the record would be longer
  // than gfortran's, 1 GiB, or when writing failed: failure() tells.
  char* begin_field(std::size_t most_bytes) {
    const std::size_t place = begin_ + position_;
    if (moves_ == 0 && place + most_bytes < fast_bytes) return buffer_.data() + place;
    return begin_field_slowly(most_bytes);
  }
  // end is where the field ended.
  void end_field(const char* end) noexcept {
    position_ = static_cast<std::size_t>(end - (buffer_.data() + begin_));
    if (position_ > highest_) highest_ = position_;
  }
  bool put(std::string_view text);

  // Of edit descriptors: n as in the format.
  void skip(int n) noexcept;
  void tab(int n) noexcept;
  void tab_left(int n) noexcept;

  // gfortran begins anew to look where T and X lead: with a value, behind a colon and where format
  // control reverts.
  void forget_tabs() noexcept { tab_ = 0; }

  const status& failure() const noexcept { return failure_; }

  status end_record();
  status flush();  // between records

  // The record goes on behind the position: T or TL went back. Asked after begin_field.
  bool has_text_behind() const noexcept { return position_ < highest_; }

 private:
  // The buffer never has fewer bytes.
  static constexpr std::size_t fast_bytes = std::size_t{512} << 10;

  char* begin_field_slowly(std::size_t most_bytes);
  bool make_room(std::size_t bytes);
  bool move();
  bool flush_beginning();
  void move_later_to(long long place) noexcept;

  byte_sink& sink_;
  bool goes_back_;
  bool exact_tabs_;
  status failure_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;     // of the record, in buffer_
  std::size_t flushed_ = 0;   // bytes of the record that have left
  std::size_t position_ = 0;  // in the record
  std::size_t highest_ = 0;   // bytes in the record
  // Put off, as gfortran counts them; both may be negative.
  long long moves_ = 0;   // of the position
  long long blanks_ = 0;  // beyond the record so far
  long long tab_ = 0;     // where the last T, TL or X led
};

constexpr std::size_t flush_bytes = std::size_t{256} << 10;
constexpr std::size_t longest_record = std::size_t{1} << 30;  // gfortran's default

edit_record_writer::edit_record_writer(byte_sink& sink, bool goes_back, bool exact_tabs)
    : sink_(sink), goes_back_(goes_back), exact_tabs_(exact_tabs), buffer_(fast_bytes) {}

bool edit_record_writer::make_room(std::size_t bytes) {
  if (bytes > longest_record || flushed_ + position_ + bytes > longest_record + flush_bytes)
    return false;
  const std::size_t needed = begin_ + position_ + bytes + 1;  // the line feed
  if (needed > buffer_.size()) buffer_.resize(std::max(needed, 2 * buffer_.size()));
  return true;
}

// Does the moves that were put off. Left of the record there is nothing: it goes to its beginning.
bool edit_record_writer::move() {
  const long long target = std::max(static_cast<long long>(position_) + moves_, 0LL);
  // From gfortran 15 on X puts blanks over what T or TL went back over.
  const bool covers = exact_tabs_ && blanks_ > 0 && blanks_ <= moves_;
  const auto covered = static_cast<std::size_t>(covers ? blanks_ : 0);
  moves_ = 0;
  blanks_ = 0;
  const auto place = static_cast<std::size_t>(target);
  if (place > highest_) {
    if (flushed_ + place > longest_record || !make_room(place - position_)) return false;
    std::memset(buffer_.data() + begin_ + highest_, ' ', place - highest_);
    highest_ = place;
  }
  if (covered > 0) std::memset(buffer_.data() + begin_ + place - covered, ' ', covered);
  position_ = place;
  return true;
}

char* edit_record_writer::begin_field_slowly(std::size_t most_bytes) {
  if (moves_ != 0 && !move()) return nullptr;
  if (!goes_back_ && begin_ + highest_ >= flush_bytes && !flush_beginning()) return nullptr;
  return make_room(most_bytes) ? buffer_.data() + begin_ + position_ : nullptr;
}

// What nothing can change any more leaves before the record ends.
bool edit_record_writer::flush_beginning() {
  flushed_ += highest_;
  begin_ += highest_;
  position_ = 0;
  highest_ = 0;
  failure_ = flush();
  return failure_.ok();
}

bool edit_record_writer::put(std::string_view text) {
  char* const place = begin_field(text.size());
  if (place == nullptr) return false;
  std::memcpy(place, text.data(), text.size());
  end_field(place + text.size());
  return true;
}

void edit_record_writer::skip(int n) noexcept {
  moves_ += n;
  tab_ = static_cast<long long>(position_) + moves_ - 1;
  blanks_ = tab_ + 1 - static_cast<long long>(highest_);
  if (exact_tabs_ && blanks_ < 0) blanks_ = n;
}

// Before gfortran 15 blanks that X has put off count twice: (3x,t2) goes on at column 4. Since then
// only to the right of where X led.
void edit_record_writer::tab(int n) noexcept {
  if (!exact_tabs_ || n >= tab_ + 1) return move_later_to(n - 1 - blanks_);
  tab_ = n;
  moves_ = n - 1 - static_cast<long long>(position_);
  blanks_ = std::max(moves_, 0LL);
}

void edit_record_writer::tab_left(int n) noexcept {
  if (position_ == 0) {
    blanks_ -= n;
    moves_ = std::max(moves_ - n, 0LL);
  }
  move_later_to(static_cast<long long>(position_) - n);
}

void edit_record_writer::move_later_to(long long place) noexcept {
  place = std::max(place, 0LL);
  tab_ = place;
  moves_ += place - static_cast<long long>(position_);
  blanks_ = std::max(blanks_ + place - static_cast<long long>(highest_), 0LL);
}

status edit_record_writer::end_record() {
  buffer_[begin_ + highest_] = '\n';
  begin_ += highest_ + 1;
  flushed_ = 0;
  position_ = 0;
  highest_ = 0;
  moves_ = 0;
  blanks_ = 0;
  return begin_ >= flush_bytes ? flush() : status();
}

// Between records.
status edit_record_writer::flush() {
  const std::size_t bytes = begin_;
  begin_ = 0;
  return bytes > 0 ? sink_.write(buffer_.data(), bytes) : status();
}

bool is_bit_descriptor(edit_kind kind) noexcept {
  return kind >= edit_kind::binary && kind <= edit_kind::hexadecimal;
}

class edited_writer {
 public:
  // type and bytes are those of one item: a complex is two reals, its parts.
  edited_writer(const edit_format& format, type_class type, std::size_t bytes, int parts,
                byte_sink& sink)
      : format_(format),
        cursor_(format),
        record_(sink, goes_back(format), format.dialect.has(edit_feature::exact_tabs)),
        type_(type),
        bytes_(bytes),
        parts_(parts),
        fields_(format.items.size()) {}

  status write_items(const char* items, std::size_t n);
  status finish();

 private:
  // A descriptor of reals that was met before, under these modes.
  struct prepared_field {
    bool ready = false;
    edit_modes modes;
    std::size_t room = 0;
    real_field field;
  };

  // False when something failed: failure_ says what. A status for each value would cost more than
  // the value.
  bool find_data(bool has_item, const edit_item*& item);
  bool apply(const edit_item& item);
  bool write_item(const edit_item& item, const char* value);
  bool write_real(const edit_item& item, const char* value);
  bool fail(status failure);
  void begin_value() noexcept;
  char* put_value(char* out, const edit_item& item, const char* value) const noexcept;
  prepared_field& prepare(const edit_item& item);
  status mismatch(const edit_item& item) const;
  status too_long() const;
  std::string at_column(const edit_item& item) const;

  const edit_format& format_;
  edit_cursor cursor_;
  edit_record_writer record_;
  edit_modes modes_;
  type_class type_;
  std::size_t bytes_;
  int parts_;
  int parts_left_ = 0;  // of the value that gfortran is at
  std::vector<prepared_field> fields_;
  std::vector<char> apart_;
  status failure_;
};

bool edited_writer::fail(status failure) {
  failure_ = std::move(failure);
  return failure_.ok();
}

// gfortran goes to the next value when it meets a descriptor, a colon or the end of the format
// with all of the value before written.
void edited_writer::begin_value() noexcept {
  if (parts_left_ > 0) return;
  parts_left_ = parts_;
  record_.forget_tabs();
}

std::string edited_writer::at_column(const edit_item& item) const {
  return "column " + std::to_string(item.column) + " of the format " + format_.text;
}

status edited_writer::mismatch(const edit_item& item) const {
  return status::failure(stat_code::edit_mismatch, at_column(item))
      .expected("an edit descriptor for " + std::string(value_description(type_)),
                "one for another type");
}

status edited_writer::too_long() const {
  if (!record_.failure().ok()) return record_.failure();
  return status::failure(stat_code::line_too_long,
                         "a record of the format " + format_.text + " is longer than 1 GiB");
}

// Carries control edit descriptors out up to the next data edit descriptor. Without an item left,
// a colon and the end of the format stop it too: item is null then.
bool edited_writer::find_data(bool has_item, const edit_item*& item) {
  for (;;) {
    item = cursor_.next();
    if (item == nullptr) {
      if (!has_item) return true;
      begin_value();
      if (!cursor_.revert())
        return fail(
            status::failure(stat_code::edit_mismatch,
                            "the format " + format_.text + " takes no more values")
                .advise("the part of the format that repeats needs a data edit descriptor"));
      if (!fail(record_.end_record())) return false;
    } else if (edit_cursor::is_data(item->kind)) {
      return true;
    } else if (item->kind == edit_kind::colon) {
      if (!has_item) return true;
      begin_value();
    } else if (!apply(*item)) {
      return false;
    }
  }
}

bool edited_writer::apply(const edit_item& item) {
  switch (item.kind) {
    case edit_kind::literal:
      return record_.put(item.literal) || fail(too_long());
    case edit_kind::skip:
    case edit_kind::tab_right:
      record_.skip(item.value);
      break;
    case edit_kind::tab:
      record_.tab(item.value);
      break;
    case edit_kind::tab_left:
      record_.tab_left(item.value);
      break;
    case edit_kind::slash:
      return fail(record_.end_record());
    default:
      modes_.set(item);
      break;
  }
  return true;
}

edited_writer::prepared_field& edited_writer::prepare(const edit_item& item) {
  prepared_field& prepared = fields_[static_cast<std::size_t>(&item - format_.items.data())];
  if (!prepared.ready || !(prepared.modes == modes_)) {
    prepared.field = real_field(item, modes_, bytes_, format_.dialect);
    prepared.room = prepared.field.most_bytes();
    prepared.modes = modes_;
    prepared.ready = true;
  }
  return prepared;
}

bool edited_writer::write_real(const edit_item& item, const char* value) {
  const prepared_field& prepared = prepare(item);
  char* const place = record_.begin_field(prepared.room);
  if (place == nullptr) return fail(too_long());
  // A field writes beyond its end, which must not touch what T went back over.
  const bool apart = record_.has_text_behind();
  if (apart && apart_.size() < prepared.room) apart_.resize(prepared.room);
  char* const out = apart ? apart_.data() : place;
  const char* const end = prepared.field.write(out, load_real(value, bytes_));
  if (end == nullptr)
    return fail(status::failure(stat_code::format_invalid,
                                at_column(item) + ": " + prepared.field.trouble()));
  if (apart) std::memcpy(place, out, static_cast<std::size_t>(end - out));
  record_.end_field(place + (end - out));
  return true;
}

char* edited_writer::put_value(char* out, const edit_item& item, const char* value) const noexcept {
  // Of characters, bits and L see the first.
  const std::size_t seen =
      type_ == type_class::character ? std::min<std::size_t>(bytes_, 1) : bytes_;
  if (is_bit_descriptor(item.kind)) return put_bits(out, item, format_.dialect, value, seen);
  if (item.kind == edit_kind::logical)
    return put_logical(out, item, load_integer(value, seen) != 0);
  if (item.kind == edit_kind::character || type_ == type_class::character)
    return put_characters(out, item, value, bytes_);
  const std::int64_t number = load_integer(value, bytes_);
  if (type_ == type_class::logical) return put_logical(out, item, number != 0);
  return put_integer(out, item, modes_.sign == '+', number);
}

bool edited_writer::write_item(const edit_item& item, const char* value) {
  begin_value();
  --parts_left_;
  if (!takes_type(item.kind, type_)) return fail(mismatch(item));
  if (type_ == type_class::real && is_real_kind(item.kind)) return write_real(item, value);
  char* const out = record_.begin_field(room_of(item, bytes_));
  if (out == nullptr) return fail(too_long());
  record_.end_field(put_value(out, item, value));
  return true;
}

status edited_writer::write_items(const char* items, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const edit_item* item = nullptr;
    if (!find_data(true, item) || !write_item(*item, items + i * bytes_)) return failure_;
  }
  return {};
}

status edited_writer::finish() {
  const edit_item* item = nullptr;
  if (!find_data(false, item) || !fail(record_.end_record())) return failure_;
  return record_.flush();
}

}  // namespace

status write_edited(const edit_format& format, const array_view& array, byte_sink& sink) {
  status result = check_text_kind(array.type, array.elem_len);
  if (!result.ok()) return result;
  const bool is_complex = array.type == type_class::complex;
  const std::size_t bytes = is_complex ? array.elem_len / 2 : array.elem_len;
  edited_writer writer(format, is_complex ? type_class::real : array.type, bytes,
                       is_complex ? 2 : 1, sink);
  if (bytes == 0)  // strings without a character
    result = writer.write_items("", element_count(array).value_or(0));
  for_each_run(array, [&](const char* run, std::size_t run_bytes) {
    result = writer.write_items(run, run_bytes / bytes);
    return result.ok();
  });
  return result.ok() ? writer.finish() : result;
}

}  // namespace headrace
