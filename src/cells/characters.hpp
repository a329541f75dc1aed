// Text files to arrays: characters, whose cells may be quoted and go over lines, by a table; all
// others by ../text/read.hpp. Next: table_file.hpp.
#pragma once

#include <string>

#include "../text/shape.hpp"

namespace headrace {

// Fills all elements of an array. Precondition: byte_count(array) has a value.
status read_text_array(const std::string& file, const array_view& array,
                       const read_settings& settings);

// Counts rows and columns of an array of that type.
status measure_text(const std::string& file, const read_settings& settings, type_class type,
                    text_extents& found);

// Sets the extents of an array by its type and array rank, and the elem_len of characters.
status fit_to_text(const std::string& file, const read_settings& settings, array_view& array);

}  // namespace headrace
