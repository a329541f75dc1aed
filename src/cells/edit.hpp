// Changes to texts and to arrays of texts: replace, trim, split, join, count, compare, print.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "../core/array_view.hpp"
#include "cells.hpp"
#include "value.hpp"

namespace headrace {

// All occurrences that do not overlap, found from the beginning, or from the end when back.
std::string replace_all(std::string_view text, std::string_view match, std::string_view by,
                        bool back);
std::uint64_t count_matches(std::string_view text, std::string_view match) noexcept;
// Replaces every cell by what edit appends to text for it.
using cell_edit = std::function<void(std::string_view cell, std::string& text)>;
status edit_cells(cell_array& cells, const cell_edit& edit, int threads);

// One cell, rows and columns from 0. Costs a copy of its block.
status set_cell(cell_array& cells, std::size_t row, std::size_t column, std::string_view text);

// The parts of a text between separators, one a row.
status split_text(std::string_view text, std::string_view separator, cell_array& cells);
// All cells, row by row.
std::string join_cells(const cell_array& cells, std::string_view separator);
std::uint64_t count_in_cells(const cell_array& cells, std::string_view match);
// The same shape and texts.
bool equal_cells(const cell_array& left, const cell_array& right);
// Columns of equal width, right-justified, two blanks between them.
std::string print_cells(const cell_array& cells);

}  // namespace headrace
