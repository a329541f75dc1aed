#include "cells.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

namespace headrace {

void cell_memory::shrink(std::size_t bytes) noexcept {
  constexpr std::size_t page = 4096;
  constexpr std::size_t worth_it = 64 * page;
  char* const begin = data_ - parse_padding;
  const std::size_t kept = (bytes + 2 * parse_padding + page - 1) / page * page;
  const std::size_t all = (capacity_ + 2 * parse_padding) / page * page;
  // The buffer begins with a page.
  if (all >= kept + worth_it) ::madvise(begin + kept, all - kept, MADV_DONTNEED);
  capacity_ = bytes;
}

void cell_block::set_ends(const std::uint32_t* cell_ends) {
  const std::size_t cells = count();
  if (cells == 0) return;
  const std::uint32_t length = cell_ends[1] + 1;
  std::uint32_t differences = 0;
  for (std::size_t k = 0; k < cells; ++k) differences |= (cell_ends[k + 1] - cell_ends[k]) ^ length;
  if (differences == 0) {
    ends.reset();
    width = length - 1;
    return;
  }
  ends.reset(new std::uint32_t[cells + 1]);
  std::memcpy(ends.get(), cell_ends, (cells + 1) * sizeof(std::uint32_t));
}

std::uint64_t cell_array::bytes() const noexcept {
  std::uint64_t sum = 0;
  for (const cell_block& block : blocks_) sum += block.bytes;
  return sum;
}

std::size_t cell_array::block_of(std::size_t row) const noexcept {
  const auto after =
      std::upper_bound(blocks_.begin(), blocks_.end(), row,
                       [](std::size_t r, const cell_block& block) { return r < block.first_row; });
  return static_cast<std::size_t>(after - blocks_.begin()) - 1;
}

std::string_view cell_array::text(std::size_t row, std::size_t column, std::string& scratch) const {
  const cell_block& block = blocks_[block_of(row)];
  return text(block, (row - block.first_row) * columns_ + column, scratch);
}

std::string_view cell_array::text(const cell_block& block, std::size_t cell,
                                  std::string& scratch) const {
  return decode_cell(block.raw(cell), decoding, (cell + 1) % columns_ == 0, scratch);
}

std::uint64_t cell_array::line_of(std::size_t row, std::size_t column) const noexcept {
  if (const auto known = places.lock()) return known->place_of(row, first_column + column).line;
  const cell_block& block = blocks_[block_of(row)];
  const std::size_t row_in_block = row - block.first_row;
  const char* const begin = block.text.data();
  const std::size_t before = block.begin_of(row_in_block * columns_ + column);
  auto line =
      block.first_line + static_cast<std::uint64_t>(std::count(begin, begin + before, '\n'));
  const auto skips = std::upper_bound(
      block.skips.begin(), block.skips.end(), row_in_block,
      [](std::size_t r, const skipped_lines& skip) { return r < skip.before_row; });
  if (skips != block.skips.begin()) line += (skips - 1)->lines;
  return line;
}

// Messages name where the text of a cell begins; of an empty one, where the cell does.
std::size_t cell_array::blanks_before(std::size_t row, std::size_t column) const noexcept {
  const cell_block& block = blocks_[block_of(row)];
  const std::string_view raw = block.raw((row - block.first_row) * columns_ + column);
  const std::string_view text = trimmed(raw);
  return text.empty() ? 0 : static_cast<std::size_t>(text.data() - raw.data());
}

status cell_array::at_cell(status failure, std::size_t row, std::size_t column) const {
  if (const auto known = places.lock()) {
    const cell_places::place place = known->place_of(row, first_column + column);
    return std::move(failure).in_file(file).at_line(place.line,
                                                    place.byte + blanks_before(row, column));
  }
  const cell_block& block = blocks_[block_of(row)];
  if (block.lines == 0) {
    if (file.empty()) return failure;
    return std::move(failure).in_file(file);
  }
  const char* const begin = block.text.data();
  const char* const cell = begin + block.begin_of((row - block.first_row) * columns_ + column);
  const char* line_begin = cell;
  while (line_begin > begin && line_begin[-1] != '\n') --line_begin;
  return std::move(failure).in_file(file).at_line(
      line_of(row, column),
      static_cast<std::uint64_t>(cell - line_begin) + 1 + blanks_before(row, column));
}

status cell_array::append(std::vector<cell_block> blocks) {
  for (cell_block& block : blocks) {
    if (block.rows == 0) continue;
    if (rows_ > 0 && block.columns != columns_)
      return status::failure(stat_code::row_length, "the rows to append have another length")
          .expected(std::to_string(columns_) + " cells", std::to_string(block.columns));
    columns_ = block.columns;
    block.first_row = rows_;
    rows_ += block.rows;
    blocks_.push_back(std::move(block));
  }
  return {};
}

void cell_array::replace_block(std::size_t number, cell_block block) noexcept {
  block.first_row = blocks_[number].first_row;
  blocks_[number] = std::move(block);
}

status block_builder::finish(cell_block& block) {
  if (text_.size() > largest_block_text) return bad_row(row_trouble::too_long);
  block.columns = columns_;
  block.rows = rows();
  block.bytes = text_.size();
  block.text.allocate(text_.size());
  if (!text_.empty()) std::memcpy(block.text.data(), text_.data(), text_.size());
  block.set_ends(ends_.data());
  text_.clear();
  ends_.resize(1);
  return {};
}

}  // namespace headrace
