// Bytes in memory as a stream that gives them in pieces.
#pragma once

#include <algorithm>
#include <string_view>

#include "core/streams.hpp"

namespace headrace::fuzz {

class memory_source final : public byte_source {
 public:
  memory_source(std::string_view content, std::size_t piece) noexcept
      : content_(content), piece_(piece) {}
  status read(char* data, std::size_t capacity, std::size_t& count) override {
    count = content_.copy(data, std::min(capacity, piece_));
    content_.remove_prefix(count);
    return {};
  }

 private:
  std::string_view content_;
  std::size_t piece_;
};

}  // namespace headrace::fuzz
