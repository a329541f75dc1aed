// Files of records made and walked through in the plainest way, to compare the library with.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../src/binary/record_dialect.hpp"

namespace headrace {

struct reference_record {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pieces;  // offset, bytes
  std::string data;
};

struct reference_file {
  std::vector<reference_record> records;  // before the damage
  bool damaged = false;
};

// Of 1 to 8 bytes.
inline std::uint64_t reference_number(std::string_view bytes, byte_order order) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const char byte = order == byte_order::big ? bytes[i] : bytes[bytes.size() - 1 - i];
    number = number << 8U | static_cast<unsigned char>(byte);
  }
  return number;
}

inline std::string reference_bytes(std::uint64_t number, std::size_t width, byte_order order) {
  std::string bytes(width, '\0');
  for (std::size_t i = 0; i < width; ++i) {
    bytes[order == byte_order::big ? width - 1 - i : i] = static_cast<char>(number & 0xFFU);
    number >>= 8U;
  }
  return bytes;
}

// Takes one piece off a file; false when there is no whole one. more tells that the record goes on.
inline bool reference_piece(std::string_view file, const record_dialect& dialect,
                            reference_record& record, bool& more) {
  const std::uint64_t left = file.size() - record.end;
  const bool first = record.pieces.empty();
  if (dialect.segmented) {
    if (left < 4) return false;
    const std::uint64_t counted = reference_number(file.substr(record.end, 2), dialect.order);
    const std::uint64_t place = reference_number(file.substr(record.end + 2, 2), dialect.order);
    if (counted < 2 || place > 3 || (place % 2 == 1) != first) return false;
    const std::uint64_t stored = (counted - 1) / 2 * 2;
    if (left - 4 < stored) return false;
    record.pieces.emplace_back(record.end + 4, counted - 2);
    record.end += 4 + stored;
    more = place < 2;
    return true;
  }
  const auto width = static_cast<std::uint64_t>(dialect.marker_bytes);
  if (left < 2 * width) return false;
  const std::uint64_t high = std::uint64_t{1} << (8 * width - 1);
  const auto take_apart = [&](std::uint64_t at, bool& flagged) {
    const std::uint64_t word = reference_number(file.substr(at, width), dialect.order);
    flagged = word >= high && dialect.longer != long_records::unsigned_marker;
    if (!flagged) return word;
    return dialect.longer == long_records::high_bit ? word - high : high - (word - high);
  };
  const std::uint64_t bytes = take_apart(record.end, more);
  if (bytes > left - 2 * width) return false;
  bool continued = false;
  if (take_apart(record.end + width + bytes, continued) != bytes || continued == first)
    return false;
  record.pieces.emplace_back(record.end + width, bytes);
  record.end += bytes + 2 * width;
  return true;
}

inline reference_file reference_walk(std::string_view file, const record_dialect& dialect) {
  reference_file result;
  std::uint64_t at = 0;
  while (at < file.size()) {
    reference_record record;
    record.begin = record.end = at;
    bool more = true;
    while (more)
      if (!reference_piece(file, dialect, record, more)) {
        result.damaged = true;
        return result;
      }
    for (const auto& [offset, bytes] : record.pieces) record.data += file.substr(offset, bytes);
    at = record.end;
    result.records.push_back(std::move(record));
  }
  return result;
}

// The bytes of a record as a file has them, in pieces of at most so many bytes.
inline std::string marked_record(std::string_view data, const record_dialect& dialect,
                                 std::size_t piece_limit) {
  std::string file;
  bool first = true;
  const auto width = static_cast<std::size_t>(dialect.marker_bytes);
  do {
    const std::size_t bytes = data.size() < piece_limit ? data.size() : piece_limit;
    const bool last = bytes == data.size();
    const auto marker = [&](bool flagged) {
      const std::uint64_t high = std::uint64_t{1} << (8 * width - 1);
      const std::uint64_t word = !flagged                                   ? bytes
                                 : dialect.longer == long_records::high_bit ? bytes + high
                                                                            : 0 - bytes;
      return reference_bytes(word, width, dialect.order);
    };
    if (dialect.segmented) {
      const std::uint64_t place = (first ? 1U : 0U) + (last ? 2U : 0U);
      file += reference_bytes(bytes + 2, 2, dialect.order) +
              reference_bytes(place, 2, dialect.order) + std::string(data.substr(0, bytes));
      if (bytes % 2 == 1) file += ' ';
    } else {
      file += marker(!last) + std::string(data.substr(0, bytes)) + marker(!first);
    }
    data.remove_prefix(bytes);
    first = false;
  } while (!data.empty());
  return file;
}

// Every dialect, in both byte orders.
inline std::vector<record_dialect> all_dialects() {
  std::vector<record_dialect> all;
  for (const byte_order order : {byte_order::little, byte_order::big}) {
    for (const int marker_bytes : {4, 8})
      for (const long_records longer :
           {long_records::subrecords, long_records::high_bit, long_records::unsigned_marker})
        all.push_back({marker_bytes, order, longer, false});
    all.push_back({4, order, long_records::subrecords, true});
  }
  return all;
}

// The longest piece that a test splits records of a dialect into.
inline std::size_t piece_limit_of(const record_dialect& dialect, std::size_t limit) {
  return dialect.longer == long_records::unsigned_marker ? SIZE_MAX : limit;
}

}  // namespace headrace
