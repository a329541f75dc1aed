// An array as the rows and columns of a text file, and tiles of whole rows in row-major order.
#pragma once

#include <cstddef>

#include "../core/array_view.hpp"

namespace headrace {

// Columns from first on.
struct column_range {
  std::size_t first = 0;
  std::size_t count = 0;
};

// Array rank 0 and 1: one column. Rank 2: row i holds array(i, :). Higher ranks: a row holds the
// elements along the first dimension, rows follow in element order.
class text_matrix {
 public:
  explicit text_matrix(const array_view& array) noexcept;

  std::size_t rows() const noexcept { return rows_; }
  std::size_t columns() const noexcept { return columns_; }

  // The rows as they lie in memory, when that is already row-major; null otherwise.
  char* in_place(std::size_t first_row) const noexcept;

  // Copies rows between the array and a row-major tile of count * columns() elements.
  void gather(std::size_t first_row, std::size_t count, char* tile) const noexcept {
    gather(first_row, count, {0, columns_}, tile);
  }
  void scatter(std::size_t first_row, std::size_t count, const char* tile) const noexcept {
    scatter(first_row, count, {0, columns_}, tile);
  }
  // The same with some neighbouring columns of each row, for rows too long to be moved whole.
  void gather(std::size_t first_row, std::size_t count, column_range columns,
              char* tile) const noexcept;
  void scatter(std::size_t first_row, std::size_t count, column_range columns,
               const char* tile) const noexcept;

  const array_view& array() const noexcept { return array_; }

 private:
  template <bool ToTile>
  void move(std::size_t first_row, std::size_t count, column_range columns,
            char* tile) const noexcept;
  template <bool ToTile, std::size_t Bytes>
  void move_tile(char* base, std::size_t count, std::size_t columns, char* tile) const noexcept;
  std::size_t row_offset(std::size_t row) const noexcept;

  array_view array_;
  std::size_t rows_ = 1;
  std::size_t columns_ = 1;
  std::ptrdiff_t row_stride_ = 0;     // ranks 0 to 2
  std::ptrdiff_t column_stride_ = 0;  // bytes
};

}  // namespace headrace
