// What a zip archive says about its members. Next: zip_member.hpp reads one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../core/files.hpp"
#include "../core/status.hpp"

namespace headrace {

struct zip_member {
  std::string name;
  unsigned flags = 0;
  unsigned method = 0;
  std::uint32_t crc = 0;
  std::uint64_t packed_bytes = 0;
  std::uint64_t bytes = 0;
  std::uint64_t header_at = 0;
};

struct zip_directory {
  std::vector<zip_member> members;
  std::uint64_t begin = 0;  // where the directory stands in the file: the end of the members
  std::string bytes;        // as it stands there
};

// Reads the directory at the end of an archive of up to 64 MiB, which is some hundred thousand
// members. Failure header_damaged for what is no archive, contradicts itself or is larger.
// The file is not named in failures. Precondition: the file has a size.
status read_zip_directory(const file_reader& file, zip_directory& directory);

// Where the data of a member begin. Failure header_damaged when there is no such member.
status find_zip_data(const file_reader& file, const zip_directory& directory,
                     const zip_member& member, std::uint64_t& data_at);

// Numbers of zip files, the lowest byte first. Precondition: so many bytes are there.
std::uint64_t zip_number(const char* bytes, int count) noexcept;
void put_zip_number(std::string& text, std::uint64_t value, int count);

// Lengths and signatures of the parts of an archive (PKWARE's APPNOTE, sections 4.3.7 to 4.3.16).
inline constexpr std::size_t zip_local_bytes = 30;
inline constexpr std::size_t zip_entry_bytes = 46;
inline constexpr std::size_t zip_end_bytes = 22;
inline constexpr std::size_t zip64_end_bytes = 56;
inline constexpr std::size_t zip64_locator_bytes = 20;
inline constexpr std::uint32_t zip_local_mark = 0x04034b50;
inline constexpr std::uint32_t zip_entry_mark = 0x02014b50;
inline constexpr std::uint32_t zip_descriptor_mark = 0x08074b50;
inline constexpr std::uint32_t zip_end_mark = 0x06054b50;
inline constexpr std::uint32_t zip64_end_mark = 0x06064b50;
inline constexpr std::uint32_t zip64_locator_mark = 0x07064b50;
inline constexpr std::uint32_t zip_in_extra = 0xFFFFFFFF;  // the number stands in the zip64 field
inline constexpr unsigned zip64_extra = 1;

}  // namespace headrace
