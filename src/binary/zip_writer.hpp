// Writes a zip archive, member by member.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "../core/files.hpp"
#include "zip_directory.hpp"
#include "zip_member.hpp"

namespace headrace {

// Members carry no time of day: the same arrays make the same archive. Precondition: has_zip().
class zip_writer {
 public:
  explicit zip_writer(file_writer& file) noexcept : file_(file) {}

  // First of all: takes over the members of an older archive, byte for byte.
  status copy(const file_reader& file, const zip_directory& directory);

  // The data of a stored member begin at a multiple of 64 bytes, so that they can be mapped.
  status begin(const std::string& name, bool deflate, int level = 0);
  status write(const char* data, std::size_t bytes);
  status end();

  // The directory; the file is left to be finished.
  status finish();

 private:
  status put(const std::string& text);
  status put_packed(const char* data, std::size_t bytes);

  file_writer& file_;
  std::string directory_;
  std::uint64_t count_ = 0;
  zip_member member_;  // that is being written
  std::unique_ptr<zip_deflater> deflater_;
};

}  // namespace headrace
