// Arrays and calls for the tests of npy and npz.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <numeric>
#include <vector>

#include "binary/npy.hpp"
#include "binary/npz.hpp"
#include "scratch.hpp"

namespace headrace {

// A contiguous array of one type; its bytes are 'Z' at first.
template <class Element>
class numpy_sample {
 public:
  numpy_sample(type_class type, std::initializer_list<std::ptrdiff_t> extents) {
    view.elem_len = sizeof(Element);
    view.type = type;
    auto stride = static_cast<std::ptrdiff_t>(sizeof(Element));
    for (const std::ptrdiff_t extent : extents) {
      view.extent[static_cast<std::size_t>(view.array_rank)] = extent;
      view.stride[static_cast<std::size_t>(view.array_rank++)] = stride;
      stride *= extent;
    }
    values.resize(element_count(view).value());
    std::memset(static_cast<void*>(values.data()), 'Z', values.size() * sizeof(Element));
    view.base = reinterpret_cast<char*>(values.data());
  }
  bool untouched() const {
    const char* const bytes = reinterpret_cast<const char*>(values.data());
    return std::all_of(bytes, bytes + values.size() * sizeof(Element),
                       [](char c) { return c == 'Z'; });
  }

  std::vector<Element> values;
  array_view view;
};

class NumpyFile : public Scratch {
 protected:
  // 0, 1, 2, ... in element order of (3, 4)
  static numpy_sample<double> matrix() {
    numpy_sample<double> sample(type_class::real, {3, 4});
    std::iota(sample.values.begin(), sample.values.end(), 0.0);
    return sample;
  }

  // A file of version 1 with that dictionary.
  static std::string npy_of(const std::string& dictionary, const std::string& data = "") {
    const std::string text = dictionary + "\n";
    return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(text.size() & 0xFF) +
           static_cast<char>(text.size() >> 8) + text + data;
  }

  static bool says(const status& s, const std::string& text) {
    return s.message().find(text) != std::string::npos;
  }
};

}  // namespace headrace
