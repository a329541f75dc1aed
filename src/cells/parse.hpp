// Cells to arrays of numbers, logicals and characters. Next: ../text/converter.hpp.
#pragma once

#include <functional>
#include <string>

#include "../core/array_view.hpp"
#include "../text/converter.hpp"
#include "cells.hpp"

namespace headrace {

struct parse_style : cell_style {
  missing_option missing;
};

// fmt: "z", or one of the formats of value_style; missing: as parse_missing takes it, or nothing;
// since: the epoch of dates and times, or nothing.
status make_parse_style(const std::string& fmt, const std::string& decimal,
                        const std::string& imaginary, const std::string& missing,
                        parse_style& style, const std::string& since = "");

// A rectangle of cells, from 0.
struct cell_range {
  std::size_t first_row = 0;
  std::size_t rows = 0;
  std::size_t first_column = 0;
  std::size_t columns = 0;
};

// Fills the array, whose rows and columns (../text/matrix.hpp) are those of the range. The first
// cell that does not fit is the failure, with its place (../text/bad_cells.hpp); part of the array
// has then been filled. name_of_column is for messages.
status parse_cells(const cell_array& cells, const cell_range& range, const parse_style& style,
                   int threads, const array_view& array,
                   const std::function<std::string(std::size_t)>& name_of_column = {});

}  // namespace headrace
