// Whole arrays between memory and files, in large blocks, whatever their strides.
#pragma once

#include "array_view.hpp"
#include "files.hpp"

namespace headrace {

// Appends all elements in element order. Precondition: byte_count(array) has a value.
status write_elements(file_writer& file, const array_view& array);

// Fills all elements in element order. Precondition: byte_count(array) has a value.
status read_elements(file_reader& file, const array_view& array);

}  // namespace headrace
