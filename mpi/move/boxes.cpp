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

namespace {

// A range that begins or ends within a line of dimension d: recursion over the dimensions above.
void split_range(const box& whole, int d, std::int64_t first, std::int64_t last, box_list& parts) {
  if (first >= last) return;
  const auto dim = static_cast<std::size_t>(d);
  box part = whole;
  if (d == 0) {
    part.start[0] = whole.start[0] + first;
    part.count[0] = last - first;
    parts.push_back(part);
    return;
  }
  std::int64_t plane = 1;  // elements of all lower dimensions
  for (std::size_t k = 0; k < dim; ++k) plane *= whole.count[k];
  const auto below = [&](std::int64_t index, std::int64_t from, std::int64_t to) {
    box one = whole;
    one.start[dim] = whole.start[dim] + index;
    one.count[dim] = 1;
    split_range(one, d - 1, from, to, parts);
  };
  std::int64_t index = first / plane;
  if (first % plane != 0) {
    const std::int64_t end = std::min(last, (index + 1) * plane);
    below(index, first - index * plane, end - index * plane);
    first = end;
    ++index;
  }
  const std::int64_t whole_planes = (last - first) / plane;
  if (whole_planes > 0) {
    part.start[dim] = whole.start[dim] + index;
    part.count[dim] = whole_planes;
    parts.push_back(part);
    first += whole_planes * plane;
    index += whole_planes;
  }
  if (first < last) below(index, 0, last - first);
}

}  // namespace

box_list boxes_of_range(const box& whole, std::int64_t first, std::int64_t last) {
  box_list parts;
  if (first >= last) return parts;
  if (whole.array_rank == 0)
    parts.push_back(whole);
  else
    split_range(whole, whole.array_rank - 1, first, last, parts);
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
