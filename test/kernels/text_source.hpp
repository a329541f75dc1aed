// A text in memory as a source that gives a few bytes at a time, and can fail.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "core/streams.hpp"

namespace headrace {

class text_source final : public byte_source {
 public:
  explicit text_source(std::string_view text, std::size_t chunk = 1 << 16)
      : text_(text), chunk_(chunk) {}

  // Fails when the text is used up, instead of ending.
  void fail_at_end() noexcept { fails_ = true; }

  status read(char* data, std::size_t capacity, std::size_t& count) override {
    count = std::min({capacity, chunk_, text_.size()});
    std::memcpy(data, text_.data(), count);
    text_.remove_prefix(count);
    if (count == 0 && fails_) return status::system(EIO, "cannot read");
    return {};
  }

 private:
  std::string_view text_;
  std::size_t chunk_;
  bool fails_ = false;
};

}  // namespace headrace
