// A file that several MPI ranks write or read at offsets of their own, by system calls or, if a
// format overrides them, by Fortran's statements. Nothing here is collective.
#pragma once

#include <cstdint>
#include <string>

#include "../../src/core/status.hpp"

namespace headrace {

bool exists(const std::string& path) noexcept;

class positioned_file {
 public:
  positioned_file() = default;
  virtual ~positioned_file();  // closes without a word: call close()
  positioned_file(const positioned_file&) = delete;
  positioned_file& operator=(const positioned_file&) = delete;

  virtual status create(const std::string& file);  // new and empty; fails when it exists
  status open_to_write(const std::string& file);
  virtual status open_to_read(const std::string& file);
  bool is_open() const noexcept { return descriptor_ >= 0; }

  // Writers of one file on one machine wait asleep for each other, a call at a time. Linux lets one
  // of them write at a time in any case; the others would spin, on cores that another file's writer
  // could use.
  void take_turns() noexcept { takes_turns_ = true; }
  // All bytes or a failure that names the byte; a short write on a full disk is ENOSPC.
  virtual status write_at(std::int64_t offset, const char* data, std::int64_t bytes) const;
  // A file that ends before is the failure end_of_file.
  virtual status read_at(std::int64_t offset, char* data, std::int64_t bytes) const;
  status size(std::int64_t& bytes) const;
  // The file has exactly so many bytes, file_size_mismatch otherwise.
  status check_size(std::int64_t expected) const;
  // So many bytes take room on the disk, unless it has room for them: ENOSPC. OMPIO reports success
  // on a full disk. For files that were just written.
  status check_stored(std::int64_t bytes) const;
  // Both.
  status check_written(std::int64_t expected) const;
  // The name is still that of the open file: file_changed_while_writing otherwise.
  status check_named(const std::string& file) const;
  virtual status sync() const;
  virtual status close();  // a failure of close(2) is one of writing
  const std::string& name() const noexcept { return file_; }

 protected:
  status open(const std::string& file, int flags, const char* what, unsigned mode = 0666);
  int descriptor() const noexcept { return descriptor_; }

 private:
  std::string file_;
  int descriptor_ = -1;
  bool takes_turns_ = false;
};

}  // namespace headrace
