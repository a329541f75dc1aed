// The elements of an array one after another, for readers that leave some of them as they are.
#pragma once

#include <cstddef>

#include "../../core/array_view.hpp"

namespace headrace {

// What messages call a value of the type.
inline const char* value_description(type_class type) noexcept {
  switch (type) {
    case type_class::integer:
      return "an integer";
    case type_class::real:
      return "a real number";
    case type_class::complex:
      return "a complex number such as (1.5,-2)";
    case type_class::logical:
      return "a logical value such as T or .false.";
    case type_class::character:
      break;
  }
  return "a character string";
}

class element_walker {
 public:
  // Precondition: byte_count(array) has a value.
  explicit element_walker(const array_view& array) noexcept
      : base_(array.base),
        elem_len_(array.elem_len),
        grid_(runs_of(array)),
        position_(grid_),
        total_(element_count(array).value_or(0)) {}

  bool at_end() const noexcept { return done_ == total_; }

  // The current element.
  char* element() const noexcept { return base_ + position_.offset() + in_run_; }

  // Elements that lie one after another from the current one on.
  std::size_t left_in_run() const noexcept {
    return elem_len_ == 0 ? left() : (grid_.run_bytes - in_run_) / elem_len_;
  }

  // Moves on by count elements, at most left_in_run(). Elements without bytes have no run.
  void advance(std::size_t count) noexcept {
    done_ += count;
    in_run_ += count * elem_len_;
    if (in_run_ < grid_.run_bytes) return;
    in_run_ = 0;
    if (!position_.at_end()) position_.advance(1);
  }

  // Elements from the current one to the end.
  std::size_t left() const noexcept { return total_ - done_; }

  // Elements that were passed.
  std::size_t done() const noexcept { return done_; }

 private:
  char* base_;
  std::size_t elem_len_;
  run_grid grid_;
  run_position position_;
  std::size_t total_;
  std::size_t in_run_ = 0;
  std::size_t done_ = 0;
};

}  // namespace headrace
