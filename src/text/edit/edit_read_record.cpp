// The records of a formatted READ.
#include "edit_read_record.hpp"

namespace headrace {

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

}  // namespace headrace
