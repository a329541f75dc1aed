// The bytes of a member of a zip archive: stored or deflated, with their crc32. Through zlib.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "zip_directory.hpp"

namespace headrace {

// False when the library was built without zlib: then nothing here works.
bool has_zip() noexcept;

// The checksum of zip archives, of what came before (0: nothing) and these bytes.
std::uint32_t zip_crc(std::uint32_t crc, const char* data, std::size_t bytes) noexcept;

// Reads a member from its first byte to its last.
class zip_member_reader {
 public:
  virtual ~zip_member_reader() = default;
  // Fills data. Failure compression_damaged when the member holds less.
  virtual status read(char* data, std::size_t bytes) = 0;
  // After the last byte: nothing is left, and the checksum is the one of the directory.
  virtual status finish() = 0;
};

// Failure kind_unsupported for members that are encrypted or compressed by another method,
// compression_unavailable without zlib. file and member must live as long as the reader.
status open_zip_member(const file_reader& file, const zip_member& member, std::uint64_t data_at,
                       std::unique_ptr<zip_member_reader>& reader);

// Deflates bytes piece by piece and hands the result to take.
class zip_deflater {
 public:
  virtual ~zip_deflater() = default;
  virtual status write(const char* data, std::size_t bytes) = 0;
  virtual status finish() = 0;
};

using take_packed = std::function<status(const char* data, std::size_t bytes)>;

// Null without zlib. level: 1 to 9; 0: the usual one.
std::unique_ptr<zip_deflater> make_zip_deflater(take_packed take, int level);

}  // namespace headrace
