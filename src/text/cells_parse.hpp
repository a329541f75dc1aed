// Cells to arrays of numbers, logicals and characters. Next: kernels/parse_numbers.hpp.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "../core/array_view.hpp"
#include "cell_times.hpp"
#include "cells.hpp"
#include "missing_cells.hpp"
#include "missing_numbers.hpp"

namespace headrace {

struct parse_style {
  bool hexadecimal = false;
  char decimal = '.';
  std::string imaginary;  // what follows an imaginary part; empty: i, j, *1i, ...
  // What an empty cell stands for.
  using missing_rule = missing_words::outcome;
  missing_rule missing = missing_rule::error;
  std::string missing_value;               // text of the value
  std::vector<std::string> missing_texts;  // cells of these texts are empty, too
  missing_numbers numbers;                 // of these texts: find_numbers()
  bool usual_markers = false;              // so are those of is_missing
  bool as_seconds = false;                 // dates and times become seconds since the epoch
  time_stamp epoch;

  void find_numbers() {
    numbers = {};
    if (hexadecimal) return;
    for (const std::string& text : missing_texts) numbers.add(text, decimal);
  }
  bool has_markers() const noexcept { return usual_markers || !missing_texts.empty(); }
  bool is_marker(std::string_view text) const noexcept {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return !text.empty() && ((usual_markers && is_missing(text)) || is_one_of(missing_texts, text));
  }
  // A cell that is no value of the type. After find_numbers().
  bool stands_for_empty(std::string_view text) const {
    return is_marker(text) || numbers.holds(text);
  }
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

// Fills the array, whose rows and columns (text_matrix.hpp) are those of the range. The first cell
// that does not fit is the failure bad_number, number_out_of_range or missing_value with its place;
// part of the array has then been filled. name_of_column is for messages.
status parse_cells(const cell_array& cells, const cell_range& range, const parse_style& style,
                   int threads, const array_view& array,
                   const std::function<std::string(std::size_t)>& name_of_column = {});

}  // namespace headrace
