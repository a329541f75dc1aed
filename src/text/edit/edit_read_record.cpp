// The records of a formatted READ.
#include "edit_read_record.hpp"

namespace headrace {

// Reads on until text_ has so many bytes; false when the line has fewer.
bool record_reader::need(std::size_t bytes) {
  while (text_.size() < bytes) {
    if (ended_) return false;
    const int c = cursor_.peek();
    ended_ = c == '\n' || c == '\r' || c == text_cursor::end;
    if (c == text_cursor::end) return false;
    exists_ = true;
    cursor_.advance();
    if (!ended_) {
      text_ += static_cast<char>(c);
    } else if (c == '\r' && cursor_.peek() == '\n') {
      cursor_.advance();
    }
  }
  return true;
}

void record_reader::forget_fields() {
  constexpr std::size_t most = 4096;
  if (keep_lines_ || at_ < most || at_ > text_.size()) return;
  text_.erase(0, at_);
  passed_ += at_;
  at_ = 0;
}

bool record_reader::read_field(std::size_t width, bool comma_ends, std::string_view& field) {
  forget_fields();
  field_offset_ = offset();
  std::size_t end = at_;
  bool comma = false;
  while (end < at_ + width && !comma && need(end + 1)) {
    comma = comma_ends && text_[end] == ',';
    end += !comma;
  }
  if (!exists_ && cursor_.peek() == text_cursor::end) return false;
  field = at_ < text_.size() ? std::string_view(text_).substr(at_, end - at_) : std::string_view();
  at_ = end + comma;
  return true;
}

void record_reader::move_to(std::size_t offset) {
  at_ = offset > passed_ ? offset - passed_ : 0;
  need(at_);
}

bool record_reader::next_line() {
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

}  // namespace headrace
