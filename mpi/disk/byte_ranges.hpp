// Ranges of bytes in a file.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace headrace {

struct byte_range {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

// In their order in the file; those that meet or overlap become one, and empty ones go.
inline std::vector<byte_range> joined(std::vector<byte_range> ranges) {
  std::sort(ranges.begin(), ranges.end(), [](const byte_range& left, const byte_range& right) {
    return left.begin < right.begin;
  });
  std::vector<byte_range> found;
  for (const byte_range& one : ranges) {
    if (one.end <= one.begin) continue;
    if (found.empty() || found.back().end < one.begin)
      found.push_back(one);
    else
      found.back().end = std::max(found.back().end, one.end);
  }
  return found;
}

inline std::int64_t bytes_of(const std::vector<byte_range>& ranges) noexcept {
  std::int64_t sum = 0;
  for (const byte_range& one : ranges) sum += one.end - one.begin;
  return sum;
}

}  // namespace headrace
