// A place in a text that is read byte by byte or in blocks of lines, with constant memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "../../core/status.hpp"
#include "../../core/streams.hpp"

namespace headrace {

class text_cursor {
 public:
  // capacity: bytes in memory at a time.
  explicit text_cursor(byte_source& source, std::size_t capacity = std::size_t(1) << 18);

  static constexpr int end = -1;

  // The next byte, 0 to 255, or end.
  int peek() { return at_ != limit_ ? static_cast<unsigned char>(*at_) : refill(); }

  // Goes over the next byte, which peek() has seen.
  void advance() noexcept {
    if (*at_++ == '\n') start_line();
  }

  // The bytes that are in memory from here on, at least one unless peek() is end.
  std::string_view in_memory() const noexcept {
    return {at_, static_cast<std::size_t>(limit_ - at_)};
  }

  // Goes over the first bytes of in_memory(), none of them a line feed.
  void skip(std::size_t bytes) noexcept { at_ += bytes; }

  // The complete lines that fit in memory from here on, with the padding of the kernels around
  // them. Empty when there is none: the next line is longer than the memory, or the last without a
  // line feed.
  std::string_view complete_lines();

  // Goes over the first bytes of complete_lines(), which are so many lines.
  void skip_lines(std::size_t bytes, std::size_t lines) noexcept;

  std::uint64_t lines_before() const noexcept { return source_.lines_before(); }
  // Where the next byte stands, from 1.
  std::uint64_t line() const noexcept { return lines_before() + line_; }
  std::uint64_t column() const noexcept { return position() - line_start_ + 1; }

  // Whether the source failed: then the end is not the end.
  const status& failure() const noexcept { return failure_; }

 private:
  int refill();
  bool read_more();
  void start_line() noexcept {
    ++line_;
    line_start_ = position();
  }
  char* text() noexcept { return buffer_.data() + begin_padding_; }
  std::uint64_t position() const noexcept {
    return base_ + static_cast<std::uint64_t>(at_ - (buffer_.data() + begin_padding_));
  }

  byte_source& source_;
  std::vector<char> buffer_;
  std::size_t begin_padding_;
  std::size_t capacity_;
  char* at_;
  char* limit_;
  std::uint64_t base_ = 0;  // bytes of the text before the buffer
  std::uint64_t line_start_ = 0;
  std::uint64_t line_ = 1;
  bool at_end_ = false;
  status failure_;
};

}  // namespace headrace
