// A Fortran array as the kernels see it, whatever the compiler. Next: array_copy.hpp moves its
// bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

namespace headrace {

inline constexpr int max_array_rank = 15;

// What the bytes of one element mean. Values are those of hr_type in headrace.h.
enum class type_class : std::uint8_t { integer = 1, real, complex, logical, character };

// Elements of elem_len bytes at base + sum(index * stride); the first dimension varies fastest.
struct array_view {
  char* base = nullptr;
  std::size_t elem_len = 0;
  type_class type = type_class::integer;
  int array_rank = 0;  // 0 for a scalar
  std::array<std::ptrdiff_t, max_array_rank> extent{};
  std::array<std::ptrdiff_t, max_array_rank> stride{};  // bytes, may be negative
  bool is_unsigned = false;  // integers that Fortran does not have; few formats take them
};

// Number of elements; nothing when it does not fit a size_t.
std::optional<std::size_t> element_count(const array_view& array) noexcept;

// byte_count() of another array rank than 1.
std::optional<std::size_t> byte_count_of_ranks(const array_view& array) noexcept;

// Number of bytes of all elements; nothing when it does not fit a ptrdiff_t.
inline std::optional<std::size_t> byte_count(const array_view& array) noexcept {
  std::ptrdiff_t bytes = 0;  // files and pointers count in signed numbers
  if (array.array_rank != 1) return byte_count_of_ranks(array);
  if (__builtin_mul_overflow(static_cast<std::size_t>(array.extent[0]), array.elem_len, &bytes))
    return {};
  return static_cast<std::size_t>(bytes);
}

// True when the elements lie one after another in element order (an empty array does).
bool is_contiguous(const array_view& array) noexcept;

// The same elements as equal contiguous runs over as few dimensions as possible.
struct run_grid {
  std::size_t run_bytes = 0;  // 0: there is nothing to visit
  int dimensions = 0;         // 0: one run holds everything
  std::array<std::ptrdiff_t, max_array_rank> extent{};
  std::array<std::ptrdiff_t, max_array_rank> stride{};
};

// Precondition: byte_count(array) has a value.
run_grid runs_of(const array_view& array) noexcept;

// Which run of a grid comes next, and where it starts.
class run_position {
 public:
  explicit run_position(const run_grid& grid) noexcept
      : grid_(grid), at_end_(grid.run_bytes == 0) {}

  bool at_end() const noexcept { return at_end_; }
  std::ptrdiff_t offset() const noexcept { return offset_; }

  // Runs left along the first dimension of the grid, this one included.
  std::ptrdiff_t left_in_line() const noexcept {
    return grid_.dimensions == 0 ? 1 : grid_.extent[0] - index_[0];
  }

  // Moves on by count runs, at most left_in_line().
  void advance(std::ptrdiff_t count) noexcept;

 private:
  run_grid grid_;
  bool at_end_;
  std::ptrdiff_t offset_ = 0;
  std::array<std::ptrdiff_t, max_array_rank> index_{};
};

// Calls visit(pointer, bytes) once per run in element order, until it returns false.
// Returns false when visit stopped it. Precondition: byte_count(array) has a value.
template <class Visit>
bool for_each_run(const array_view& array, Visit&& visit) {
  const run_grid grid = runs_of(array);
  for (run_position position(grid); !position.at_end(); position.advance(1))
    if (!visit(array.base + position.offset(), grid.run_bytes)) return false;
  return true;
}

// A logical of any length: true unless all bytes are null; it is set to 0, or to 1 as an integer.
inline bool is_true(const char* element, std::size_t bytes) noexcept {
  for (std::size_t i = 0; i < bytes; ++i)
    if (element[i] != 0) return true;
  return false;
}
inline void set_logical(char* element, std::size_t bytes, bool value) noexcept {
  const std::uint16_t one = 1;
  const bool is_little = *reinterpret_cast<const char*>(&one) == 1;
  std::memset(element, 0, bytes);
  element[is_little ? 0 : bytes - 1] = value ? '\1' : '\0';
}

}  // namespace headrace
