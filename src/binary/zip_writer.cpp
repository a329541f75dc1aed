#include "zip_writer.hpp"

#include <algorithm>

#include "../core/buffer.hpp"

namespace headrace {
namespace {

constexpr std::size_t block_bytes = std::size_t{256} << 10;
constexpr std::size_t alignment = 64;
constexpr unsigned version_64 = 45;  // of the zip format, with 64-bit sizes
constexpr unsigned made_on_unix = 3U << 8;
constexpr unsigned day_one = 1U << 5 | 1U;  // 1 January 1980, the first day that zip knows
constexpr unsigned padding_extra = 0xD935;  // known to Android's zipalign
constexpr unsigned sizes_follow = 1U << 3;  // flags
constexpr unsigned name_is_utf8 = 1U << 11;
constexpr std::uint32_t regular_file = 0100644U << 16;

bool is_ascii(const std::string& name) {
  return std::all_of(name.begin(), name.end(), [](char c) { return (c & 0x80) == 0; });
}

// The part that the header of a member and its entry in the directory have in common.
void put_common(std::string& text, const zip_member& member, std::uint64_t packed_bytes,
                std::uint64_t bytes, std::size_t extra_bytes) {
  put_zip_number(text, version_64, 2);
  put_zip_number(text, member.flags, 2);
  put_zip_number(text, member.method, 2);
  put_zip_number(text, 0, 2);
  put_zip_number(text, day_one, 2);
  put_zip_number(text, member.crc, 4);
  put_zip_number(text, packed_bytes, 4);
  put_zip_number(text, bytes, 4);
  put_zip_number(text, member.name.size(), 2);
  put_zip_number(text, extra_bytes, 2);
}

// Fills up to a multiple of the alignment with a field that readers skip.
std::string padding_at(std::uint64_t offset) {
  std::string text;
  std::size_t bytes = (alignment - offset % alignment) % alignment;
  if (bytes == 0) return text;
  if (bytes < 6) bytes += alignment;
  put_zip_number(text, padding_extra, 2);
  put_zip_number(text, bytes - 4, 2);
  put_zip_number(text, alignment, 2);
  text.append(bytes - 6, '\0');
  return text;
}

// Sizes stand in the 64-bit field always: nobody knows them yet.
std::string local_header(const zip_member& member) {
  constexpr std::size_t sizes_bytes = 20;
  const std::size_t fixed = zip_local_bytes + member.name.size() + sizes_bytes;
  const std::string padding =
      member.method == 0 ? padding_at(member.header_at + fixed) : std::string();
  std::string text;
  put_zip_number(text, zip_local_mark, 4);
  put_common(text, member, zip_in_extra, zip_in_extra, sizes_bytes + padding.size());
  text += member.name;
  put_zip_number(text, zip64_extra, 2);
  put_zip_number(text, sizes_bytes - 4, 2);
  put_zip_number(text, member.bytes, 8);
  put_zip_number(text, member.packed_bytes, 8);
  return text + padding;
}

std::string directory_entry(const zip_member& member) {
  std::string extra;
  const auto fitting = [&](std::uint64_t number) -> std::uint64_t {
    if (number < zip_in_extra) return number;
    put_zip_number(extra, number, 8);
    return zip_in_extra;
  };
  const std::uint64_t bytes = fitting(member.bytes);
  const std::uint64_t packed_bytes = fitting(member.packed_bytes);
  const std::uint64_t header_at = fitting(member.header_at);
  std::string text;
  put_zip_number(text, zip_entry_mark, 4);
  put_zip_number(text, made_on_unix | version_64, 2);
  put_common(text, member, packed_bytes, bytes, extra.empty() ? 0 : 4 + extra.size());
  put_zip_number(text, 0, 2 + 2 + 2);  // comment, disk, kind of content
  put_zip_number(text, regular_file, 4);
  put_zip_number(text, header_at, 4);
  text += member.name;
  if (extra.empty()) return text;
  put_zip_number(text, zip64_extra, 2);
  put_zip_number(text, extra.size(), 2);
  return text + extra;
}

std::string end_of_archive(std::uint64_t begin, std::uint64_t bytes, std::uint64_t count) {
  std::string text;
  const bool large = count >= 0xFFFF || bytes >= zip_in_extra || begin >= zip_in_extra;
  if (large) {
    put_zip_number(text, zip64_end_mark, 4);
    put_zip_number(text, zip64_end_bytes - 12, 8);
    put_zip_number(text, made_on_unix | version_64, 2);
    put_zip_number(text, version_64, 2);
    put_zip_number(text, 0, 8);  // disks
    for (const std::uint64_t number : {count, count, bytes, begin}) put_zip_number(text, number, 8);
    put_zip_number(text, zip64_locator_mark, 4);
    put_zip_number(text, 0, 4);
    put_zip_number(text, begin + bytes, 8);
    put_zip_number(text, 1, 4);
  }
  put_zip_number(text, zip_end_mark, 4);
  put_zip_number(text, 0, 4);  // disks
  for (int i = 0; i < 2; ++i) put_zip_number(text, std::min<std::uint64_t>(count, 0xFFFF), 2);
  put_zip_number(text, std::min<std::uint64_t>(bytes, zip_in_extra), 4);
  put_zip_number(text, std::min<std::uint64_t>(begin, zip_in_extra), 4);
  put_zip_number(text, 0, 2);  // comment
  return text;
}

}  // namespace

status zip_writer::put(const std::string& text) {
  return file_.write(text.data(), text.size());
}

status zip_writer::put_packed(const char* data, std::size_t bytes) {
  member_.packed_bytes += bytes;
  return file_.write(data, bytes);
}

status zip_writer::copy(const file_reader& file, const zip_directory& directory) {
  buffer block;
  block.reserve(16 * block_bytes);
  for (std::uint64_t done = 0; done < directory.begin;) {
    const std::uint64_t left = directory.begin - done;
    const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(left, block.capacity()));
    std::size_t count = 0;
    if (status s = file.read_at(done, block.data(), part, count); !s.ok()) return s;
    if (count == 0) break;  // the file became shorter
    if (status s = file_.write(block.data(), count); !s.ok()) return s;
    done += count;
  }
  directory_ = directory.bytes;
  count_ = directory.members.size();
  return file.check_unchanged();
}

status zip_writer::begin(const std::string& name, bool deflate, int level) {
  member_ = zip_member();
  member_.name = name;
  member_.method = deflate ? 8 : 0;
  member_.flags = (is_ascii(name) ? 0 : name_is_utf8) | (file_.can_write_at() ? 0 : sizes_follow);
  member_.header_at = file_.bytes_written();
  if (deflate)
    deflater_ = make_zip_deflater(
        [this](const char* data, std::size_t bytes) { return put_packed(data, bytes); }, level);
  return put(local_header(member_));
}

status zip_writer::write(const char* data, std::size_t bytes) {
  for (std::size_t done = 0; done < bytes;) {
    const std::size_t part = std::min(bytes - done, block_bytes);
    member_.crc = zip_crc(member_.crc, data + done, part);
    member_.bytes += part;
    status s = deflater_ ? deflater_->write(data + done, part) : put_packed(data + done, part);
    if (!s.ok()) return s;
    done += part;
  }
  return {};
}

status zip_writer::end() {
  if (deflater_)
    if (status s = deflater_->finish(); !s.ok()) return s;
  deflater_.reset();
  status s;
  if (file_.can_write_at()) {
    const std::string header = local_header(member_);  // now with checksum and sizes
    s = file_.write_at(member_.header_at, header.data(), header.size());
  } else {
    std::string descriptor;
    put_zip_number(descriptor, zip_descriptor_mark, 4);
    put_zip_number(descriptor, member_.crc, 4);
    put_zip_number(descriptor, member_.packed_bytes, 8);
    put_zip_number(descriptor, member_.bytes, 8);
    s = put(descriptor);
  }
  directory_ += directory_entry(member_);
  ++count_;
  return s;
}

status zip_writer::finish() {
  const std::uint64_t begin = file_.bytes_written();
  if (status s = put(directory_); !s.ok()) return s;
  return put(end_of_archive(begin, directory_.size(), count_));
}

}  // namespace headrace
