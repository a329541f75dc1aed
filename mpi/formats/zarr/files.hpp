// How bytes reach the files of a store: by system calls, or by Fortran's statements
// (statements.cpp). Nothing here is collective.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "../../../src/core/file_target.hpp"
#include "../../disk/positioned_file.hpp"

namespace headrace::zarr {

// Another way than system calls.
class other_file {
 public:
  virtual ~other_file() = default;  // closes without a word
  virtual status create(const std::string& file) = 0;
  virtual status open_to_read(const std::string& file) = 0;
  virtual status write_at(std::int64_t offset, const char* data, std::int64_t bytes) = 0;
  virtual status read_at(std::int64_t offset, char* data, std::int64_t bytes) = 0;
  virtual status size(std::int64_t& bytes) = 0;
  virtual status close(bool sync) = 0;
};

using file_maker = std::unique_ptr<other_file> (*)();  // null: system calls

// A file of chunks.
class chunk_file {
 public:
  explicit chunk_file(file_maker make)
      : other_(make == nullptr ? std::unique_ptr<other_file>() : make()) {}

  // In a directory that is made if it is not there. is_shared: several MPI ranks write the file,
  // and the first one makes it.
  status create(const std::string& file, bool is_shared);
  status open_to_read(const std::string& file) {
    return other_ == nullptr ? file_.open_to_read(file) : other_->open_to_read(file);
  }
  status write_at(std::int64_t offset, const char* data, std::int64_t bytes) {
    return other_ == nullptr ? file_.write_at(offset, data, bytes)
                             : other_->write_at(offset, data, bytes);
  }
  status read_at(std::int64_t offset, char* data, std::int64_t bytes) {
    return other_ == nullptr ? file_.read_at(offset, data, bytes)
                             : other_->read_at(offset, data, bytes);
  }
  status size(std::int64_t& bytes) {
    return other_ == nullptr ? file_.size(bytes) : other_->size(bytes);
  }
  status close(bool sync);

 private:
  positioned_file file_;
  std::unique_ptr<other_file> other_;
};

// Small files, whole. most: a longer file is the failure header_damaged.
status read_small_file(const std::string& file, std::int64_t most, std::string& text);
// replaces: there may be one, which is whole at every moment.
status write_small_file(const std::string& file, const std::string& text, bool replaces, bool sync);
// Failure file_size_mismatch; a file that is gone is file_changed_while_writing.
status check_file_size(const std::string& file, std::int64_t bytes);
// It may be there.
status make_directory(const std::string& directory);
bool exists(const std::string& file);
bool is_empty_directory(const std::string& directory);

}  // namespace headrace::zarr
