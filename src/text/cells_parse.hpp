// Cells to arrays of numbers, logicals and characters. Next: kernels/parse_numbers.hpp.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "../core/array_view.hpp"
#include "cell_times.hpp"
#include "cells.hpp"

namespace headrace {

struct parse_style {
  bool hexadecimal = false;
  char decimal = '.';
  std::string imaginary;  // what follows an imaginary part; empty: i, j, *1i, ...
  // What an empty cell stands for.
  enum class missing_rule { error, nan, value } missing = missing_rule::error;
  std::string missing_value;   // text of the value
  std::string missing_text;    // a cell of this text is empty, too
  bool usual_markers = false;  // cells NA, N/A and null are empty, too
  bool as_seconds = false;     // dates and times become seconds since the epoch
  time_stamp epoch;

  bool has_markers() const noexcept { return usual_markers || !missing_text.empty(); }
  bool is_marker(std::string_view text) const noexcept {
    return !text.empty() && (text == missing_text ||
                             (usual_markers && (text == "NA" || text == "N/A" || text == "null")));
  }
};

// fmt: "z", or one of the formats of value_style; missing: "error", "nan" or a value, or nothing;
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

// Fills the array, whose rows and columns (text_matrix.hpp) are those of the range. The first cell
// that does not fit is the failure bad_number, number_out_of_range or missing_value with its place;
// part of the array has then been filled. name_of_column is for messages.
status parse_cells(const cell_array& cells, const cell_range& range, const parse_style& style,
                   int threads, const array_view& array,
                   const std::function<std::string(std::size_t)>& name_of_column = {});

}  // namespace headrace
