#include "npy_header.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "npy_descr.hpp"

namespace headrace {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t alignment = 64;
// numpy leaves room for the digits of a dimension that grows.
constexpr std::size_t growth_digits = 21;
// numpy refuses headers beyond 10,000 bytes; plain arrays need some 100.
constexpr std::size_t longest_header = std::size_t{1} << 20;

status damaged(std::string what, std::uint64_t at) {
  return status::failure(stat_code::header_damaged, std::move(what))
      .at_byte(at)
      .advise("check that this is an .npy file and was copied whole");
}

std::size_t little_endian(const unsigned char* bytes, std::size_t count) noexcept {
  std::size_t value = 0;
  while (count-- > 0) value = value << 8 | bytes[count];
  return value;
}

// Sizes of the elements together, or the reason why there can be no such array.
status count_bytes(array_info& info, std::uint64_t at) {
  array_view array;
  array.elem_len = info.elem_len;
  array.array_rank = info.array_rank;
  array.extent = info.extent;
  const auto bytes = byte_count(array);
  if (!bytes)
    return damaged(
        "the array of shape " + std::to_string(info.extent[0]) + ", ... is larger than any memory",
        at);
  info.bytes = *bytes;
  int longer_than_one = 0;
  for (int d = 0; d < info.array_rank; ++d) longer_than_one += info.extent[d] > 1 ? 1 : 0;
  if (info.bytes == 0 || longer_than_one < 2) info.last_index_fastest = false;
  return {};
}

}  // namespace

std::string make_npy_header(const std::string& descr, const array_view& array,
                            bool last_index_fastest) {
  const bool empty = element_count(array).value_or(0) == 0;
  int longer_than_one = 0;
  for (int d = 0; d < array.array_rank; ++d) longer_than_one += array.extent[d] > 1 ? 1 : 0;
  const bool fortran_order = !last_index_fastest && !empty && longer_than_one > 1;
  std::string shape;
  for (int d = 0; d < array.array_rank; ++d)
    shape += (d == 0 ? "" : ", ") + std::to_string(array.extent[d]);
  if (array.array_rank == 1) shape += ',';
  std::string text = "{'descr': '" + descr +
                     "', 'fortran_order': " + (fortran_order ? "True" : "False") + ", 'shape': (" +
                     shape + "), }";
  if (array.array_rank > 0) {
    const std::ptrdiff_t grows = array.extent[fortran_order ? array.array_rank - 1 : 0];
    text.append(growth_digits - std::to_string(grows).size(), ' ');
  }
  const std::size_t used = magic.size() + 4 + text.size() + 1;
  text.append(alignment - used % alignment, ' ');
  text += '\n';
  std::string header(magic);
  header +=
      {'\1', '\0', static_cast<char>(text.size() & 0xFF), static_cast<char>(text.size() >> 8)};
  return header + text;
}

status read_npy_header(const fill_bytes& source, std::uint64_t begin, npy_header& header) {
  std::array<unsigned char, 12> start{};
  const auto read = [&](std::size_t from, std::size_t bytes) {
    return source(reinterpret_cast<char*>(start.data()) + from, bytes);
  };
  if (status s = read(0, 8); !s.ok()) return s;
  if (std::memcmp(start.data(), magic.data(), magic.size()) != 0)
    return damaged("this is not an .npy file: it does not begin with \\x93NUMPY", begin);
  if (start[6] < 1 || start[6] > 3 || start[7] != 0)
    return damaged("the .npy version " + std::to_string(start[6]) + "." + std::to_string(start[7]) +
                       " is unknown (known are 1.0, 2.0 and 3.0)",
                   begin + 6);
  const std::size_t length_bytes = start[6] == 1 ? 2 : 4;
  if (status s = read(8, length_bytes); !s.ok()) return s;
  const std::size_t length = little_endian(start.data() + 8, length_bytes);
  if (length > longest_header)
    return damaged("a header of " + bytes_text(length) + " is not the header of a plain array",
                   begin + 8);
  const std::size_t prefix = 8 + length_bytes;
  std::string text(length, '\0');
  if (status s = source(text.data(), text.size()); !s.ok()) return s;
  if (status s = parse_npy_dictionary(text, begin + prefix, header); !s.ok()) return s;
  header.info.data_offset = static_cast<std::int64_t>(prefix + length);
  if (status s = parse_npy_descr(header.descr, header.info); !s.ok())
    return std::move(s).at_byte(begin + prefix);
  return count_bytes(header.info, begin + prefix);
}

}  // namespace headrace
