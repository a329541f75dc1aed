// Files of records as bytes, built from the documented layout without the code that is tested.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "binary/record_dialect.hpp"
#include "core/array_view.hpp"

namespace headrace {

// A marker: the length in so many bytes, negative in two's complement.
inline std::string marker_bytes_of(std::int64_t length, const record_dialect& dialect) {
  std::string bytes;
  const auto wide = static_cast<std::uint64_t>(length);
  for (int i = 0; i < dialect.marker_bytes; ++i)
    bytes += static_cast<char>(static_cast<unsigned char>(wide >> (8 * i)));
  const bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
  const bool big =
      dialect.order == byte_order::big || (dialect.order == byte_order::native && !little);
  if (big) std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

// A record of bytes as they are, cut into pieces of at most limit bytes (0: one piece).
inline std::string record_of(const std::string& data, const record_dialect& dialect,
                             std::size_t limit = 0) {
  std::string bytes;
  std::size_t done = 0;
  do {
    const std::size_t left = data.size() - done;
    const std::size_t piece = limit == 0 ? left : std::min(left, limit);
    const auto length = static_cast<std::int64_t>(piece);
    bytes += marker_bytes_of(piece < left ? -length : length, dialect);
    bytes += data.substr(done, piece);
    bytes += marker_bytes_of(done > 0 ? -length : length, dialect);
    done += piece;
  } while (done < data.size());
  return bytes;
}

inline std::vector<record_dialect> written_dialects() {
  return {{4, byte_order::native},
          {4, byte_order::little},
          {4, byte_order::big},
          {8, byte_order::little},
          {8, byte_order::big}};
}

// Bytes as an array of characters, which no byte order changes.
inline array_view characters_of(std::string& data) {
  return {data.data(), 1, type_class::character, 1, {static_cast<std::ptrdiff_t>(data.size())},
          {1}};
}

// Bytes that repeat late.
inline std::string sample_bytes(std::size_t count, unsigned seed = 1) {
  std::string bytes(count, ' ');
  for (std::size_t i = 0; i < count; ++i) {
    seed = seed * 1664525U + 1013904223U;
    bytes[i] = static_cast<char>(seed >> 24);
  }
  return bytes;
}

}  // namespace headrace
