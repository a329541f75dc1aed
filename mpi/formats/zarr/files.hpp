// How bytes reach the files of a store: by system calls, or by Fortran's statements
// (statements.cpp). Nothing here is collective.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "../../../src/core/file_target.hpp"
#include "../../../src/core/status.hpp"

namespace headrace::zarr {

// A file of chunks.
class chunk_file {
 public:
  virtual ~chunk_file() = default;  // closes without a word
  // In a directory that is made if it is not there. is_shared: several MPI ranks write the file,
  // and the first one makes it.
  virtual status create(const std::string& file, bool is_shared) = 0;
  virtual status open_to_read(const std::string& file) = 0;
  virtual status write_at(std::int64_t offset, const char* data, std::int64_t bytes) = 0;
  virtual status read_at(std::int64_t offset, char* data, std::int64_t bytes) = 0;
  virtual status size(std::int64_t& bytes) = 0;
  virtual status close(bool sync) = 0;
};

using file_maker = std::unique_ptr<chunk_file> (*)();
std::unique_ptr<chunk_file> make_system_file();

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
