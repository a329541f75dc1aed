// Arrays of numbers, logicals and characters to cells. Next: value.hpp, ../text/kernels.
#pragma once

#include "../core/array_view.hpp"
#include "cells.hpp"
#include "value.hpp"

namespace headrace {

// Appends the elements as rows of cells: row i holds array(i, :); array rank 1 is a column. Higher
// ranks: a row holds the elements along the first dimension. Failure: cells are unchanged.
status append_cells(const array_view& array, const value_style& style, int threads,
                    cell_array& cells);

}  // namespace headrace
