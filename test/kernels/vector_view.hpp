// A contiguous vector of test values as the core sees an array of array rank 1.
#pragma once

#include <cstddef>
#include <vector>

#include "core/array_view.hpp"

namespace headrace {

template <class Element>
array_view view_of(std::vector<Element>& elements, type_class type) {
  array_view array;
  array.base = reinterpret_cast<char*>(elements.data());
  array.elem_len = sizeof(Element);
  array.type = type;
  array.array_rank = 1;
  array.extent[0] = static_cast<std::ptrdiff_t>(elements.size());
  array.stride[0] = sizeof(Element);
  return array;
}

}  // namespace headrace
