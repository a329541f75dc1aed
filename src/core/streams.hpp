// Bytes that come and go one after another: plain files, compressed files, memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "status.hpp"

namespace headrace {

class byte_sink {
 public:
  virtual ~byte_sink() = default;
  virtual status write(const char* data, std::size_t bytes) = 0;
};

class byte_source {
 public:
  virtual ~byte_source() = default;
  // Reads up to capacity bytes; count 0 is the end.
  virtual status read(char* data, std::size_t capacity, std::size_t& count) = 0;
  // Lines of a text that were left out before its first byte.
  virtual std::uint64_t lines_before() const noexcept { return 0; }
};

// Appends to a string.
class string_sink final : public byte_sink {
 public:
  explicit string_sink(std::string& text) noexcept : text_(text) {}
  status write(const char* data, std::size_t bytes) override {
    text_.append(data, bytes);
    return {};
  }

 private:
  std::string& text_;
};

}  // namespace headrace
