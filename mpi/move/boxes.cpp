#include "boxes.hpp"

#include <algorithm>

namespace headrace {

std::int64_t volume(const box& part) noexcept {
  std::int64_t elements = 1;
  for (int d = 0; d < part.array_rank; ++d) elements *= part.count[static_cast<std::size_t>(d)];
  return elements;
}

bool is_empty(const box& part) noexcept {
  return volume(part) == 0;
}

box intersection(const box& left, const box& right) noexcept {
  box common = left;
  for (std::size_t d = 0; d < static_cast<std::size_t>(left.array_rank); ++d) {
    const std::int64_t begin = std::max(left.start[d], right.start[d]);
    const std::int64_t end =
        std::min(left.start[d] + left.count[d], right.start[d] + right.count[d]);
    common.start[d] = begin;
    common.count[d] = std::max<std::int64_t>(0, end - begin);
  }
  return common;
}

bool operator==(const box& left, const box& right) noexcept {
  if (left.array_rank != right.array_rank) return false;
  const auto dimensions = static_cast<std::size_t>(left.array_rank);
  return std::equal(left.start.begin(), left.start.begin() + dimensions, right.start.begin()) &&
         std::equal(left.count.begin(), left.count.begin() + dimensions, right.count.begin());
}

box_list boxes_of_range(const box& whole, std::int64_t first, std::int64_t last) {
  const auto array_rank = static_cast<std::size_t>(whole.array_rank);
  box_list parts;
  if (array_rank == 0 && first < last) parts.push_back(whole);
  while (array_rank > 0 && first < last) {
    // The slowest dimension along which the range goes on with whole planes of those below.
    std::size_t slowest = 0;
    std::int64_t plane = 1;
    for (; slowest + 1 < array_rank; ++slowest) {
      const std::int64_t next = plane * whole.count[slowest];
      if (first % next != 0 || next > last - first) break;
      plane = next;
    }
    box part = whole;
    std::int64_t index = first / plane;
    part.count[slowest] =
        std::min((last - first) / plane, whole.count[slowest] - index % whole.count[slowest]);
    for (std::size_t d = slowest; d < array_rank; ++d) {
      part.start[d] += index % whole.count[d];
      index /= whole.count[d];
      if (d > slowest) part.count[d] = 1;
    }
    parts.push_back(part);
    first += part.count[slowest] * plane;
  }
  return parts;
}

std::vector<box> parts_for_calls(const box& whole, std::int64_t most_elements) {
  if (is_empty(whole)) return {};
  if (volume(whole) <= most_elements) return {whole};
  auto last = static_cast<std::size_t>(whole.array_rank - 1);  // the slowest that can be cut
  while (last > 0 && whole.count[last] == 1) --last;
  const std::int64_t below = volume(whole) / whole.count[last];
  const std::int64_t step = std::max<std::int64_t>(1, most_elements / below);
  std::vector<box> parts;
  for (std::int64_t at = 0; at < whole.count[last]; at += step) {
    box part = whole;
    part.start[last] += at;
    part.count[last] = std::min(step, whole.count[last] - at);
    for (const box& piece : parts_for_calls(part, most_elements)) parts.push_back(piece);
  }
  return parts;
}

std::string text_of_extents(const std::int64_t* extents, int array_rank) {
  std::string text = "(";
  for (int d = 0; d < array_rank; ++d) text += (d == 0 ? "" : ", ") + std::to_string(extents[d]);
  return text + ")";
}

std::string text_of(const box& part) {
  std::string text = "(";
  for (std::size_t d = 0; d < static_cast<std::size_t>(part.array_rank); ++d) {
    const std::int64_t begin = part.start[d] + 1;
    text += (d == 0 ? "" : ", ") + std::to_string(begin) + ":" +
            std::to_string(begin + part.count[d] - 1);
  }
  return text + ")";
}

}  // namespace headrace
