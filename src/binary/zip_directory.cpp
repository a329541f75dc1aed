#include "zip_directory.hpp"

#include <algorithm>
#include <string_view>

namespace headrace {
namespace {

constexpr std::uint64_t largest_directory = std::uint64_t{64} << 20;
constexpr std::uint64_t longest_comment = 65535;

status damaged(std::string what, std::uint64_t at) {
  return status::failure(stat_code::header_damaged, std::move(what))
      .at_byte(at)
      .advise("check that this is an .npz file and was copied whole");
}

// Bytes that must be there.
status read_exactly(const file_reader& file, std::uint64_t at, std::uint64_t bytes,
                    std::string& text) {
  text.resize(bytes);
  std::size_t count = 0;
  if (status s = file.read_at(at, text.data(), text.size(), count); !s.ok()) return s;
  if (count == text.size()) return {};
  return damaged("the zip archive ends too early", at + count);
}

// Where the directory is, as the end of the archive says.
struct directory_place {
  std::uint64_t begin = 0;
  std::uint64_t bytes = 0;
  std::uint64_t count = 0;
  std::uint64_t end = 0;  // where the record that says so stands
};

status find_end(const file_reader& file, std::string& tail, std::size_t& found) {
  const std::uint64_t size = file.size().value_or(0);
  const std::uint64_t begin = size - std::min(size, longest_comment + zip_end_bytes);
  if (status s = read_exactly(file, begin, size - begin, tail); !s.ok()) return s;
  std::string mark;
  put_zip_number(mark, zip_end_mark, 4);
  for (found = tail.rfind(mark); found != std::string::npos;
       found = found == 0 ? std::string::npos : tail.rfind(mark, found - 1)) {
    if (tail.size() - found < zip_end_bytes) continue;
    const std::uint64_t comment = zip_number(tail.data() + found + 20, 2);
    if (found + zip_end_bytes + comment == tail.size()) return {};
  }
  return damaged("this is not a zip archive, or its end is missing", size);
}

// The 64-bit form of the end, which a locator in front of the old form points to.
status read_zip64_end(const file_reader& file, std::uint64_t end_at, directory_place& place) {
  std::string text;
  if (end_at < zip64_locator_bytes) return {};
  const std::uint64_t locator_at = end_at - zip64_locator_bytes;
  if (status s = read_exactly(file, locator_at, zip64_locator_bytes, text); !s.ok()) return s;
  if (zip_number(text.data(), 4) != zip64_locator_mark) return {};
  const std::uint64_t at = zip_number(text.data() + 8, 8);
  if (at > locator_at || locator_at - at < zip64_end_bytes)
    return damaged("the 64-bit end of the zip archive is not where it should be", locator_at);
  if (status s = read_exactly(file, at, zip64_end_bytes, text); !s.ok()) return s;
  if (zip_number(text.data(), 4) != zip64_end_mark)
    return damaged("the 64-bit end of the zip archive is not where it should be", at);
  place.count = zip_number(text.data() + 32, 8);
  place.bytes = zip_number(text.data() + 40, 8);
  place.begin = zip_number(text.data() + 48, 8);
  place.end = at;
  return {};
}

status find_directory(const file_reader& file, directory_place& place) {
  std::string tail;
  std::size_t found = 0;
  if (status s = find_end(file, tail, found); !s.ok()) return s;
  const char* const end = tail.data() + found;
  place.end = file.size().value_or(0) - (tail.size() - found);
  place.count = zip_number(end + 10, 2);
  place.bytes = zip_number(end + 12, 4);
  place.begin = zip_number(end + 16, 4);
  if (status s = read_zip64_end(file, place.end, place); !s.ok()) return s;
  if (place.begin > place.end || place.end - place.begin != place.bytes)
    return damaged("the directory of the zip archive is not where its end says", place.end);
  if (place.bytes > largest_directory)
    return damaged("the directory of the zip archive has " + bytes_text(place.bytes) +
                       ", more than an archive of arrays needs",
                   place.end);
  return {};
}

// Takes the numbers that did not fit from the zip64 field among the extra ones.
bool read_zip64_numbers(std::string_view extra, zip_member& member) {
  while (extra.size() >= 4) {
    const std::uint64_t id = zip_number(extra.data(), 2);
    const std::uint64_t bytes = zip_number(extra.data() + 2, 2);
    if (bytes > extra.size() - 4) return false;
    std::string_view field = extra.substr(4, bytes);
    extra.remove_prefix(4 + bytes);
    if (id != zip64_extra) continue;
    for (std::uint64_t* number : {&member.bytes, &member.packed_bytes, &member.header_at}) {
      if (*number != zip_in_extra) continue;
      if (field.size() < 8) return false;
      *number = zip_number(field.data(), 8);
      field.remove_prefix(8);
    }
    return true;
  }
  return true;
}

status parse_entry(std::string_view text, std::uint64_t at, zip_directory& directory,
                   std::size_t& used) {
  if (text.size() < zip_entry_bytes || zip_number(text.data(), 4) != zip_entry_mark)
    return damaged("the directory of the zip archive is damaged", at);
  const char* const entry = text.data();
  const std::size_t name = zip_number(entry + 28, 2);
  const std::size_t extra = zip_number(entry + 30, 2);
  used = zip_entry_bytes + name + extra + zip_number(entry + 32, 2);
  if (used > text.size()) return damaged("the directory of the zip archive is damaged", at);
  zip_member member;
  member.name = text.substr(zip_entry_bytes, name);
  member.flags = static_cast<unsigned>(zip_number(entry + 8, 2));
  member.method = static_cast<unsigned>(zip_number(entry + 10, 2));
  member.crc = static_cast<std::uint32_t>(zip_number(entry + 16, 4));
  member.packed_bytes = zip_number(entry + 20, 4);
  member.bytes = zip_number(entry + 24, 4);
  member.header_at = zip_number(entry + 42, 4);
  if (!read_zip64_numbers(text.substr(zip_entry_bytes + name, extra), member))
    return damaged("the 64-bit sizes of a member of the zip archive are damaged", at);
  if (member.header_at > directory.begin ||
      member.packed_bytes > directory.begin - member.header_at)
    return damaged("a member reaches beyond the members of the zip archive", at);
  directory.members.push_back(std::move(member));
  return {};
}

}  // namespace

std::uint64_t zip_number(const char* bytes, int count) noexcept {
  std::uint64_t value = 0;
  while (count-- > 0) value = value << 8 | static_cast<unsigned char>(bytes[count]);
  return value;
}

void put_zip_number(std::string& text, std::uint64_t value, int count) {
  for (; count > 0; --count, value >>= 8) text += static_cast<char>(value & 0xFF);
}

status read_zip_directory(const file_reader& file, zip_directory& directory) {
  directory = zip_directory();
  directory_place place;
  if (status s = find_directory(file, place); !s.ok()) return s;
  directory.begin = place.begin;
  if (status s = read_exactly(file, place.begin, place.bytes, directory.bytes); !s.ok()) return s;
  for (std::size_t at = 0; at < directory.bytes.size();) {
    std::size_t used = 0;
    const std::string_view left = std::string_view(directory.bytes).substr(at);
    if (status s = parse_entry(left, place.begin + at, directory, used); !s.ok()) return s;
    at += used;
  }
  if (directory.members.size() == place.count) return {};
  return damaged("the zip archive has another number of members than its end says", place.end)
      .expected(std::to_string(place.count), std::to_string(directory.members.size()));
}

status find_zip_data(const file_reader& file, const zip_directory& directory,
                     const zip_member& member, std::uint64_t& data_at) {
  std::string local;
  const std::uint64_t at = member.header_at;
  if (status s = read_exactly(file, at, zip_local_bytes, local); !s.ok()) return s;
  const std::size_t name_bytes = zip_number(local.data() + 26, 2);
  data_at = at + zip_local_bytes + name_bytes + zip_number(local.data() + 28, 2);
  std::string name;
  if (zip_number(local.data(), 4) == zip_local_mark && name_bytes == member.name.size())
    if (status s = read_exactly(file, at + zip_local_bytes, name_bytes, name); !s.ok()) return s;
  if (name != member.name || data_at > directory.begin ||
      member.packed_bytes > directory.begin - data_at)
    return damaged("the zip archive has no member where its directory says", at);
  return {};
}

}  // namespace headrace
