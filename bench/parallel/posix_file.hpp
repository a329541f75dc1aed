// A file by the calls of the operating system, every count checked.
#pragma once

#include <cstdint>
#include <string>

#include "outcome.hpp"

namespace headrace::bench {

class posix_file {
 public:
  posix_file() = default;
  ~posix_file();
  posix_file(const posix_file&) = delete;
  posix_file& operator=(const posix_file&) = delete;

  // O_WRONLY | O_CREAT; an old file's bytes stay.
  outcome open_to_write(const std::string& path);
  outcome open_to_read(const std::string& path);
  // In calls of at most 8 MiB.
  outcome write_at(std::int64_t offset, const char* data, std::int64_t bytes);
  outcome read_at(std::int64_t offset, char* data, std::int64_t bytes);
  outcome sync();
  outcome close();

 private:
  outcome failed(const char* what, std::int64_t bytes, std::int64_t offset, int error) const;

  std::string path_;
  int file_ = -1;
};

}  // namespace headrace::bench
