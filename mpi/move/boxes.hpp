// Rectangular parts of a global array, in Fortran's order of dimensions, counted from 0.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace headrace {

inline constexpr int max_parallel_rank = 7;
using index_list = std::array<std::int64_t, max_parallel_rank>;

struct box {
  int array_rank = 0;
  index_list start{};
  index_list count{};
};

// Elements; 0 for an empty box, 1 for a scalar.
std::int64_t volume(const box& part) noexcept;
bool is_empty(const box& part) noexcept;
// Empty when they have nothing in common. Both in the coordinates of the global array.
box intersection(const box& left, const box& right) noexcept;
// What is stored behind their dimensions does not count.
bool operator==(const box& left, const box& right) noexcept;

// Few boxes, without memory that could be lacking.
class box_list {
 public:
  void push_back(const box& one) noexcept { boxes_[count_++] = one; }
  const box* begin() const noexcept { return boxes_.data(); }
  const box* end() const noexcept { return boxes_.data() + count_; }
  std::size_t size() const noexcept { return count_; }
  const box& operator[](std::size_t i) const noexcept { return boxes_[i]; }

 private:
  std::array<box, 2 * max_parallel_rank - 1> boxes_;
  std::size_t count_ = 0;
};

// Elements [first, last) of a box in element order, as at most 2 * array_rank - 1 boxes, which
// follow one another in that order.
box_list boxes_of_range(const box& whole, std::int64_t first, std::int64_t last);

// A box cut into boxes of at most so many elements, which follow one another in element order. The
// libraries count bytes of a call in 32 bits here and there.
inline constexpr std::int64_t largest_call_bytes = std::int64_t{1} << 30;
std::vector<box> parts_for_calls(const box& whole, std::int64_t most_elements);

// "(10, 8)"
std::string text_of_extents(const std::int64_t* extents, int array_rank);
// "(1:10, 5:8)", Fortran's indices
std::string text_of(const box& part);

}  // namespace headrace
