// Arrays of every type that text knows, for the targets that write and read whole arrays.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "core/array_view.hpp"

namespace headrace::fuzz {

struct element_type {
  type_class type;
  std::size_t elem_len;
};
inline constexpr element_type element_types[] = {
    {type_class::real, 8},    {type_class::real, 4},      {type_class::integer, 4},
    {type_class::integer, 8}, {type_class::integer, 1},   {type_class::integer, 2},
    {type_class::logical, 4}, {type_class::character, 5}, {type_class::complex, 16},
    {type_class::complex, 8}, {type_class::logical, 1},
};
inline constexpr std::size_t element_type_count = sizeof element_types / sizeof element_types[0];

class sample_array {
 public:
  // Contiguous; the elements are zero, or blank.
  sample_array(element_type element, std::size_t columns, std::size_t rows)
      : memory_(element.elem_len * columns * rows,
                element.type == type_class::character ? ' ' : '\0') {
    view_.base = memory_.data();
    view_.elem_len = element.elem_len;
    view_.type = element.type;
    view_.array_rank = 2;
    view_.extent[0] = static_cast<std::ptrdiff_t>(columns);
    view_.extent[1] = static_cast<std::ptrdiff_t>(rows);
    view_.stride[0] = static_cast<std::ptrdiff_t>(element.elem_len);
    view_.stride[1] = static_cast<std::ptrdiff_t>(element.elem_len * columns);
  }
  const array_view& view() const noexcept { return view_; }
  const std::vector<char>& bytes() const noexcept { return memory_; }

  void fill_with_samples() {
    if (view_.type == type_class::real || view_.type == type_class::complex) {
      if (view_.elem_len == 4 || (view_.type == type_class::complex && view_.elem_len == 8))
        fill_reals<float>();
      else
        fill_reals<double>();
    } else if (view_.type == type_class::character) {
      for (std::size_t i = 0; i < memory_.size(); ++i) memory_[i] = "a'b \"c,9"[i % 8];
    } else if (view_.type == type_class::logical) {
      for (std::size_t i = 0; i < memory_.size(); i += 2 * view_.elem_len) memory_[i] = 1;
    } else {
      // Small numbers, the lowest and the highest.
      for (std::size_t i = 0; i < memory_.size(); ++i)
        memory_[i] = static_cast<char>((i / view_.elem_len) % 3 == 0 ? (i % view_.elem_len ? 0 : 42)
                                                                     : -(i % 2) * 85);
    }
  }

 private:
  template <class Real>
  void fill_reals() {
    using limits = std::numeric_limits<Real>;
    const Real samples[] = {
        Real(1),       Real(-0.0),          Real(123.456),   limits::quiet_NaN(),
        limits::max(), limits::lowest(),    limits::min(),   limits::denorm_min(),
        Real(0.5),     -limits::infinity(), Real(9.9999999), Real(2.5e-9)};
    for (std::size_t i = 0; i < memory_.size() / sizeof(Real); ++i)
      std::memcpy(memory_.data() + i * sizeof(Real), &samples[i % 12], sizeof(Real));
  }

  std::vector<char> memory_;
  array_view view_;
};

}  // namespace headrace::fuzz
