// How bytes reach the files of a store: by system calls, or by Fortran's statements
// (statements.cpp). Nothing here is collective.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "../../disk/positioned_file.hpp"

namespace headrace {

class zarr_file {
 public:
  virtual ~zarr_file() = default;  // closes without a word
  virtual status create(const std::string& file) = 0;
  // For a file that several MPI ranks write: the first one makes it.
  virtual status create_or_open(const std::string& file) = 0;
  virtual status open_to_read(const std::string& file) = 0;
  virtual status write_at(std::int64_t offset, const char* data, std::int64_t bytes) = 0;
  virtual status read_at(std::int64_t offset, char* data, std::int64_t bytes) = 0;
  virtual status size(std::int64_t& bytes) = 0;
  virtual status sync() = 0;
  virtual status close() = 0;
};

using zarr_file_maker = std::unique_ptr<zarr_file> (*)();

class zarr_plain_file final : public zarr_file {
 public:
  static std::unique_ptr<zarr_file> make() { return std::make_unique<zarr_plain_file>(); }

  status create(const std::string& file) override { return file_.create(file); }
  status create_or_open(const std::string& file) override;
  status open_to_read(const std::string& file) override { return file_.open_to_read(file); }
  status write_at(std::int64_t offset, const char* data, std::int64_t bytes) override {
    return file_.write_at(offset, data, bytes);
  }
  status read_at(std::int64_t offset, char* data, std::int64_t bytes) override {
    return file_.read_at(offset, data, bytes);
  }
  status size(std::int64_t& bytes) override { return file_.size(bytes); }
  status sync() override { return file_.sync(); }
  status close() override { return file_.close(); }

 private:
  positioned_file file_;
};

// Small files, whole. most: a longer file is the failure header_damaged.
status read_small_file(const std::string& file, std::int64_t most, std::string& text);
status write_small_file(const std::string& file, const std::string& text, bool sync);
// Failure file_size_mismatch; a file that is gone is file_changed_while_writing.
status check_file_size(const std::string& file, std::int64_t bytes);
// Brings the names of files in a directory to the device.
status sync_directory(const std::string& directory);

}  // namespace headrace
