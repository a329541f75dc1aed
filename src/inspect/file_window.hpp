// Pieces of a file, read where they are wanted. A file that shrinks gives a failure and no signal,
// so it is not mapped.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "../core/files.hpp"

namespace headrace {

class file_window {
 public:
  // Failure for pipes and devices, which have no size.
  status open(const std::string& file);
  std::uint64_t size() const noexcept { return size_; }

  // The bytes of the file from offset on, valid until the next call. Null when they reach beyond
  // the end or cannot be read; result() tells which.
  const unsigned char* at(std::uint64_t offset, std::size_t bytes) noexcept {
    if (offset >= begin_ && bytes <= end_ - begin_ && offset - begin_ <= end_ - begin_ - bytes)
      return data_.get() + (offset - begin_);
    return load(offset, bytes);
  }
  const status& result() const noexcept { return result_; }

 private:
  const unsigned char* load(std::uint64_t offset, std::size_t bytes) noexcept;

  file_reader reader_;
  std::string file_;
  status result_;
  std::uint64_t size_ = 0;
  std::uint64_t begin_ = 0, end_ = 0;  // of what data_ holds
  std::unique_ptr<unsigned char[]> data_;
};

}  // namespace headrace
