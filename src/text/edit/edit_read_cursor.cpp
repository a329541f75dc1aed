// A place in a text that is read byte by byte or in blocks of lines.
#include "edit_read_cursor.hpp"

#include <cstring>

#include "../kernels/parse_numbers.hpp"

namespace headrace {

text_cursor::text_cursor(byte_source& source, std::size_t capacity)
    : source_(source),
      buffer_(capacity + 2 * parse_padding),
      begin_padding_(parse_padding),
      capacity_(capacity),
      at_(text()),
      limit_(text()) {}

int text_cursor::refill() {
  if (!read_more()) return end;
  return static_cast<unsigned char>(*at_);
}

// Reads behind the bytes that are left; false at the end and when the memory is full.
bool text_cursor::read_more() {
  if (at_end_) return false;
  const auto left = static_cast<std::size_t>(limit_ - at_);
  if (at_ != text()) {
    base_ += static_cast<std::uint64_t>(at_ - text());
    std::memmove(text(), at_, left);
    at_ = text();
    limit_ = at_ + left;
  }
  if (left == capacity_) return false;
  std::size_t count = 0;
  failure_ = source_.read(limit_, capacity_ - left, count);
  at_end_ = !failure_.ok() || count == 0;
  if (at_end_) return false;
  limit_ += count;
  return true;
}

std::string_view text_cursor::complete_lines() {
  for (;;) {
    const auto left = static_cast<std::size_t>(limit_ - at_);
    const std::size_t last = std::string_view(at_, left).rfind('\n');
    if (last != std::string_view::npos) return {at_, last + 1};
    if (!read_more()) return {};
  }
}

void text_cursor::skip_lines(std::size_t bytes, std::size_t lines) noexcept {
  at_ += bytes;
  line_ += lines;
  line_start_ = position();
}

}  // namespace headrace
