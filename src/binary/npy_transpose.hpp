// Elements in C order in a file to arrays in element order, in tiles that stay in the cache.
#pragma once

#include "npy_elements.hpp"

namespace headrace {

// Fills an array with elements that lie in C order in their source. swapped_word as in
// transfer.hpp. Precondition: the array has elements and two dimensions or more.
status transpose_in(const array_view& array, std::size_t swapped_word, const fill_from& source);

}  // namespace headrace
