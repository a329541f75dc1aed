// The rows of an array as pieces of text, and long rows in several pieces, so that all threads
// together keep within a few megabytes. Next: format.hpp (cells), pieces.hpp (threads).
#pragma once

#include <cstddef>
#include <memory>

#include "format.hpp"
#include "matrix.hpp"
#include "pieces.hpp"

namespace headrace {

class cell_pieces {
 public:
  // For rows of so many columns, at least one, of the type and kind of an array.
  status make(const text_layout& layout, const array_view& array, std::size_t columns, int threads);

  // Pieces with all rows of a matrix of those columns. Both must outlive the producer.
  piece_producer producer(const text_matrix& matrix) const;

 private:
  status produce(const text_matrix& matrix, std::size_t piece, piece_workspace& space,
                 std::size_t& bytes) const;

  char delimiter_ = ',';
  std::size_t columns_ = 1;
  std::size_t piece_rows_ = 1;
  std::size_t piece_columns_ = 1;  // less than columns_: a row has several pieces
  std::size_t pieces_in_row_ = 1;
  std::unique_ptr<cell_formatter> full_;
  std::unique_ptr<cell_formatter> last_;  // of the last piece of a row, where that is shorter
};

}  // namespace headrace
