// Plain files as streams of bytes. Next: files.hpp opens, writes and reads them.
#pragma once

#include <cstddef>
#include <string>

#include "files.hpp"
#include "streams.hpp"

namespace headrace {

// Reads a file from its beginning to its end.
class file_source final : public byte_source {
 public:
  status open(const std::string& file) { return reader_.open(file); }
  status read(char* data, std::size_t capacity, std::size_t& count) override {
    return reader_.read_some(data, capacity, count);
  }

  const file_reader& reader() const noexcept { return reader_; }

 private:
  file_reader reader_;
};

// Writes to a file that its owner has opened and will finish.
class file_sink final : public byte_sink {
 public:
  explicit file_sink(file_writer& writer) noexcept : writer_(writer) {}
  status write(const char* data, std::size_t bytes) override { return writer_.write(data, bytes); }

 private:
  file_writer& writer_;
};

}  // namespace headrace
