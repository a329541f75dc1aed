// A text file being written, plain or compressed by its ending. Next: ../core/compressed.hpp.
#pragma once

#include <memory>
#include <string>

#include "../core/compressed.hpp"
#include "../core/file_streams.hpp"

namespace headrace {

class text_sink final : public byte_sink {
 public:
  // An old file is replaced when finish() returns, or grows.
  status open(const std::string& file, bool append, int level = default_level);
  // Bytes of the old content of a file that grows.
  std::uint64_t old_bytes() const noexcept { return writer_.old_bytes(); }
  // Begins a new line if the old content ends without a line feed; of a compressed one nobody
  // knows, and empty lines do not count.
  status end_old_line();
  status write(const char* text, std::size_t bytes) override { return sink_->write(text, bytes); }
  status finish();

 private:
  file_writer writer_;
  file_sink plain_{writer_};
  std::unique_ptr<compressing_sink> compressor_;
  byte_sink* sink_ = &plain_;
};

}  // namespace headrace
