// A text file being written, plain or compressed by its ending. Next: ../core/compressed.hpp.
#pragma once

#include <memory>
#include <string>

#include "../core/compressed.hpp"
#include "../core/file_streams.hpp"
#include "../core/old_text.hpp"

namespace headrace {

class text_sink final : public byte_sink {
 public:
  // An old file is replaced when finish() returns, or grows.
  status open(const std::string& file, bool append, int level = default_level);
  const file_writer& writer() const noexcept { return writer_; }
  // Whether a file that grows has text already.
  bool has_old_text() const noexcept { return old_.any; }
  // Begins a new line if the old text ends without a line feed.
  status end_old_line();
  status write(const char* text, std::size_t bytes) override { return sink_->write(text, bytes); }
  status finish();

 private:
  file_writer writer_;
  old_text old_;
  file_sink plain_{writer_};
  std::unique_ptr<compressing_sink> compressor_;
  byte_sink* sink_ = &plain_;
};

}  // namespace headrace
