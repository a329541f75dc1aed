// Where rows and cells of blocks of delimited text end. Next: ../text/row_scan.hpp (one row),
// ../text/kernels/parse_numbers.hpp (find_fields).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "../text/row_scan.hpp"
#include "cells.hpp"

namespace headrace {

// The length of the complete rows at the beginning of a text.
std::size_t complete_rows(const char* text, std::size_t bytes, const row_rule& rule);

// What one thread needs.
struct scan_workspace {
  std::vector<std::uint32_t> ends;
  std::unique_ptr<std::uint32_t[]> fields;
  std::unique_ptr<std::uint32_t[]> line_fields;
  std::size_t room = 0;
  // false: the blocks get no ends; they are found_ends instead, until the next block.
  bool sets_ends = true;
  const std::uint32_t* found_ends = nullptr;
};

// Finds the cells of complete rows in block.text (block.bytes); sets all its other members but
// first_row and first_line. Lines that are no rows are cut out of the text.
scan_problem scan_block(const row_rule& rule, std::size_t columns, scan_workspace& space,
                        cell_block& block);

}  // namespace headrace
