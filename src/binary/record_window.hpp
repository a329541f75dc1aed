// A few bytes here and there of a file, through a window that is as large as pays. Next:
// record_walk.hpp looks at the markers of records through it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../core/buffer.hpp"
#include "../core/files.hpp"

namespace headrace {

// Reads with pread, never through mapped memory: a file that shrinks is a failure, not a signal.
// The file must stay open as long as the window.
class record_window {
 public:
  // Most bytes that look() takes.
  static constexpr std::size_t most_bytes = std::size_t{64} << 10;

  explicit record_window(const file_reader& file) : file_(&file), size_(file.size().value_or(0)) {}

  const file_reader& file() const noexcept { return *file_; }
  // Bytes of the file when it was opened.
  std::uint64_t size() const noexcept { return size_; }

  // The bytes at an offset, valid until the next call; null when they cannot be read, failure()
  // tells why. Precondition: offset + bytes <= size(), bytes <= most_bytes.
  const char* look(std::uint64_t offset, std::size_t bytes) {
    ++looks_;
    if (offset >= begin_ && offset + bytes <= begin_ + held_) return at(offset);
    return fetch(offset, bytes, false);
  }
  // The same for somebody who goes backwards through the file.
  const char* look_back(std::uint64_t offset, std::size_t bytes) {
    ++looks_;
    if (offset >= begin_ && offset + bytes <= begin_ + held_) return at(offset);
    return fetch(offset, bytes, true);
  }

  // How many bytes from an offset on are at hand.
  std::size_t at_hand(std::uint64_t offset) const noexcept {
    if (offset < begin_ || offset >= begin_ + held_) return 0;
    return static_cast<std::size_t>(begin_ + held_ - offset);
  }
  // The bytes from there on, valid until the next look.
  const char* at(std::uint64_t offset) const noexcept { return data_.data() + (offset - begin_); }
  // Tells that bytes at hand were used without looking for each of them.
  void count_looks(std::size_t looks) noexcept { looks_ += looks; }

  // Of the last look.
  const status& failure() const noexcept { return failure_; }

 private:
  const char* fetch(std::uint64_t offset, std::size_t bytes, bool backwards);

  const file_reader* file_;
  std::uint64_t size_;
  buffer data_;
  std::uint64_t begin_ = 0;
  std::size_t held_ = 0;
  std::size_t width_ = 0;  // of the next window
  std::size_t looks_ = 0;  // since the last fetch
  status failure_;
};

// The failure of a file that ends before the bytes that it had when it was opened.
status record_file_shrank(const file_reader& file, std::uint64_t offset);

}  // namespace headrace
