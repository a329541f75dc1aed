// Moves an array through a buffer of bounded size. Next: transfer.hpp joins it to files.
#pragma once

#include "array_view.hpp"

namespace headrace {

// Walks once over the elements in element order. Each call goes on where the last one stopped,
// in the middle of an element if the buffer ends there.
class array_copier {
 public:
  // Precondition: byte_count(array) has a value.
  explicit array_copier(const array_view& array) noexcept
      : base_(array.base), grid_(runs_of(array)), position_(grid_) {}

  // Copies the next elements into buffer; returns the bytes copied, fewer than capacity at the end.
  std::size_t gather(char* buffer, std::size_t capacity) noexcept;

  // Copies buffer into the next elements; returns the bytes taken, fewer than bytes at the end.
  std::size_t scatter(const char* buffer, std::size_t bytes) noexcept;

 private:
  // copy(place of elements, distance in the buffer, bytes of a run, stride, number of runs)
  template <class Copy>
  std::size_t walk(std::size_t bytes, Copy copy) noexcept;

  char* base_;
  run_grid grid_;
  run_position position_;
  std::size_t done_in_run_ = 0;
};

}  // namespace headrace
