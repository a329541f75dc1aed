// How large an array must be to take a text file. Next: read.hpp.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "../core/array_view.hpp"
#include "../core/settings.hpp"
#include "../core/status.hpp"

namespace headrace {

// What a text file holds.
struct text_extents {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;        // those that settings choose
  std::size_t longest = 0;          // bytes of the longest cell, of characters only
  std::vector<std::size_t> stated;  // by a "# shape:" line, empty without one
};

// Counts rows and columns of numbers; ../cells/characters.hpp has those of characters, too.
status measure_rows(const std::string& file, const read_settings& settings, type_class type,
                    text_extents& found);

// The names of the columns that settings choose; none if the file has no header.
status read_column_names(const std::string& file, const read_settings& settings, type_class type,
                         std::vector<std::string>& names);

// Sets the extents of an array by its array rank. Array rank 1 takes one column or one row; 3 and
// more take the shape that the file states.
status fit_to_extents(const std::string& file, const read_settings& settings, text_extents found,
                      array_view& array);

// The numbers behind the mark of a shape line; none when something else stands there.
std::vector<std::size_t> stated_extents(std::string_view shape_line);

// Compares an array of rank 3 and more with the shape that the file states, if it does.
status check_stated_shape(const std::string& file, const array_view& array,
                          const read_settings& settings, std::vector<std::size_t> stated);

}  // namespace headrace
