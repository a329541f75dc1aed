// The record that a formatted WRITE puts together. Whole records leave in large blocks.
#include "edit_write_record.hpp"

#include <algorithm>
#include <cstring>

namespace headrace {
namespace {

constexpr std::size_t flush_bytes = std::size_t{256} << 10;
constexpr std::size_t longest_record = std::size_t{1} << 30;  // gfortran's default

}  // namespace

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

}  // namespace headrace
