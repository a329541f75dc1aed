// Files written whole or not at all, and read without losing a byte unnoticed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "status.hpp"

namespace headrace {

enum class sync_mode {
  none,  // the operating system writes to the device when it likes
  file,  // the file and its name are on the device when finish() returns
};

// Writes a file that appears under its name only when it is complete: the bytes go to a temporary
// file beside it, which finish() renames. A writer destroyed before removes its temporary and
// leaves an old file of that name whole. FIFOs and devices are written directly.
class file_writer {
 public:
  file_writer() = default;
  ~file_writer();
  file_writer(const file_writer&) = delete;
  file_writer& operator=(const file_writer&) = delete;

  status open(const std::string& file);
  status write(const char* data, std::size_t bytes);
  // Checks the size, synchronises if asked, closes and renames.
  status finish(sync_mode sync);

  std::uint64_t bytes_written() const noexcept { return written_; }

 private:
  status error(int number, const char* what) const;
  status check_size() const;
  status sync_directory() const;
  void abandon() noexcept;

  std::string file_;       // as the caller names it, for messages
  std::string path_;       // the file that appears
  std::string temporary_;  // empty when written directly
  int descriptor_ = -1;
  std::uint64_t written_ = 0;
};

// Reads a file from its beginning.
class file_reader {
 public:
  file_reader() = default;
  ~file_reader();
  file_reader(const file_reader&) = delete;
  file_reader& operator=(const file_reader&) = delete;

  status open(const std::string& file);
  // Fills data; a file that ends before is the failure end_of_file at the exact byte.
  status read(char* data, std::size_t bytes);
  // Reads what there is, up to capacity bytes; count 0 is the end.
  status read_some(char* data, std::size_t capacity, std::size_t& count);

  // Size in bytes; nothing for FIFOs and devices, which have none.
  std::optional<std::uint64_t> size() const noexcept { return size_; }
  std::uint64_t bytes_read() const noexcept { return read_; }

 private:
  std::string file_;
  int descriptor_ = -1;
  std::optional<std::uint64_t> size_;
  std::uint64_t read_ = 0;
};

}  // namespace headrace
