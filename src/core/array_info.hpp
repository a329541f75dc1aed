// What a file says about an array in it, before its elements are read.
#pragma once

#include <cstdint>
#include <string>

#include "array_view.hpp"
#include "settings.hpp"

namespace headrace {

struct array_info {
  bool typed = true;  // false: the file knows bytes and order only (raw files, records)
  type_class type = type_class::integer;
  std::size_t elem_len = 0;
  int array_rank = 0;
  std::array<std::ptrdiff_t, max_array_rank> extent{};  // Fortran order: the first varies fastest
  std::uint64_t bytes = 0;                              // of all elements
  byte_order order = byte_order::native;                // of words
  bool any_logical_kind = false;    // its logicals, of one byte there, become any kind of logical
  bool is_unsigned = false;         // integers that Fortran does not have
  bool last_index_fastest = false;  // the bytes follow in C order of these extents
  std::string file;                 // that holds the bytes, when it is another one
  // Where the elements begin when they lie there one after another, plain; -1 otherwise.
  std::int64_t data_offset = -1;
};

// The same elements with the dimensions in the other order: C order becomes element order.
array_view with_reversed_dimensions(const array_view& array) noexcept;

}  // namespace headrace
