// Cells of a file column by column: each column an array of its own, so that reading one touches
// nothing else. Next: columns.cpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cells.hpp"

namespace headrace {

// More columns than that stay in one array: each of them would have few rows in a block.
inline constexpr std::size_t most_split_columns = 256;

// The cells of a block of rows as a block for each column. ends: as cell_block has them. Carriage
// returns that end rows are left out.
std::vector<cell_block> split_columns(const cell_block& rows, const std::uint32_t* ends,
                                      const cell_decoding& decoding);

// Where the cells of split columns stand in their file.
class column_places final : public cell_places {
 public:
  struct block {
    std::size_t first_row;
    std::uint64_t first_line;
    bool has_line_feeds;  // some cells have line ends in quotes
    std::vector<skipped_lines> skips;
  };

  std::vector<block> blocks;
  std::vector<std::shared_ptr<const cell_array>> columns;

  place place_of(std::size_t row, std::size_t column) const noexcept override;
};

}  // namespace headrace
