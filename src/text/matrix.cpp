#include "matrix.hpp"

#include <algorithm>
#include <cstring>

namespace headrace {
namespace {

// So many rows of every column are copied together: their cache lines are used up before they go.
constexpr std::size_t rows_together = 64;
// The processor sees no pattern in the steps from column to column (3.4 to 1.9 ns a value).
constexpr std::ptrdiff_t prefetched_columns = 12;

}  // namespace

text_matrix::text_matrix(const array_view& array) noexcept : array_(array) {
  const auto extent = [&](int d) { return static_cast<std::size_t>(array.extent[d]); };
  if (array.array_rank <= 2) {
    if (array.array_rank >= 1) rows_ = extent(0), row_stride_ = array.stride[0];
    if (array.array_rank == 2) columns_ = extent(1), column_stride_ = array.stride[1];
    return;
  }
  columns_ = extent(0);
  column_stride_ = array.stride[0];
  for (int d = 1; d < array.array_rank; ++d) rows_ *= extent(d);
}

std::size_t text_matrix::row_offset(std::size_t row) const noexcept {
  if (array_.array_rank <= 2) return row * static_cast<std::size_t>(row_stride_);
  std::size_t offset = 0;
  for (int d = 1; d < array_.array_rank; ++d) {
    const auto extent = static_cast<std::size_t>(array_.extent[d]);
    offset += (row % extent) * static_cast<std::size_t>(array_.stride[d]);
    row /= extent;
  }
  return offset;
}

char* text_matrix::in_place(std::size_t first_row) const noexcept {
  const auto elem_len = static_cast<std::ptrdiff_t>(array_.elem_len);
  const auto row_bytes = elem_len * static_cast<std::ptrdiff_t>(columns_);
  if (columns_ != 1 && column_stride_ != elem_len) return nullptr;
  if (array_.array_rank <= 2)
    return row_stride_ == row_bytes || rows_ == 1 ? array_.base + row_offset(first_row) : nullptr;
  return is_contiguous(array_) ? array_.base + row_offset(first_row) : nullptr;
}

template <bool ToTile, std::size_t Bytes>
void text_matrix::move_tile(char* base, std::size_t count, std::size_t columns,
                            char* tile) const noexcept {
  const std::size_t bytes = Bytes == 0 ? array_.elem_len : Bytes;
  for (std::size_t begin = 0; begin < count; begin += rows_together) {
    const std::size_t end = std::min(count, begin + rows_together);
    for (std::size_t c = 0; c < columns; ++c) {
      char* element = base + static_cast<std::ptrdiff_t>(c) * column_stride_ +
                      static_cast<std::ptrdiff_t>(begin) * row_stride_;
      char* cell = tile + (begin * columns + c) * bytes;
      if (ToTile) __builtin_prefetch(element + prefetched_columns * column_stride_);
      for (std::size_t r = begin; r < end; ++r) {
        ToTile ? std::memcpy(cell, element, bytes) : std::memcpy(element, cell, bytes);
        element += row_stride_;
        cell += columns * bytes;
      }
    }
  }
}

template <bool ToTile>
void text_matrix::move(std::size_t first_row, std::size_t count, column_range columns,
                       char* tile) const noexcept {
  const std::ptrdiff_t left = static_cast<std::ptrdiff_t>(columns.first) * column_stride_;
  if (array_.array_rank > 2) {  // row by row: each lies somewhere else
    for (std::size_t r = 0; r < count; ++r) {
      char* element = array_.base + row_offset(first_row + r) + left;
      for (std::size_t c = 0; c < columns.count; ++c, element += column_stride_) {
        char* const cell = tile + (r * columns.count + c) * array_.elem_len;
        ToTile ? std::memcpy(cell, element, array_.elem_len)
               : std::memcpy(element, cell, array_.elem_len);
      }
    }
    return;
  }
  char* const base = array_.base + row_offset(first_row) + left;
  switch (array_.elem_len) {
    case 1:
      return move_tile<ToTile, 1>(base, count, columns.count, tile);
    case 2:
      return move_tile<ToTile, 2>(base, count, columns.count, tile);
    case 4:
      return move_tile<ToTile, 4>(base, count, columns.count, tile);
    case 8:
      return move_tile<ToTile, 8>(base, count, columns.count, tile);
    case 16:
      return move_tile<ToTile, 16>(base, count, columns.count, tile);
    default:
      return move_tile<ToTile, 0>(base, count, columns.count, tile);
  }
}

void text_matrix::gather(std::size_t first_row, std::size_t count, column_range columns,
                         char* tile) const noexcept {
  move<true>(first_row, count, columns, tile);
}

void text_matrix::scatter(std::size_t first_row, std::size_t count, column_range columns,
                          const char* tile) const noexcept {
  move<false>(first_row, count, columns, const_cast<char*>(tile));
}

}  // namespace headrace
