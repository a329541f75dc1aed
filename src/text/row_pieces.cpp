#include "row_pieces.hpp"

#include <algorithm>

namespace headrace {
namespace {

// Rows up to this length usually fit into a piece by the hundred.
constexpr std::size_t short_row = 1024;

}  // namespace

status cell_pieces::make(const text_layout& layout, const array_view& array, std::size_t columns,
                         int threads) {
  delimiter_ = layout.delimiter;
  columns_ = columns;
  const auto formatter = [&](std::size_t width, std::unique_ptr<cell_formatter>& made) {
    return make_cell_formatter(layout, array.type, array.elem_len, width, made);
  };
  const std::size_t parts = most_piece_bytes / piece_bytes(threads);
  piece_columns_ = columns;
  pieces_in_row_ = 1;
  last_.reset();
  if (columns <= short_row) {
    if (status s = formatter(columns, full_); !s.ok()) return s;
    piece_rows_ = full_->tile_rows / parts;
    if (piece_rows_ > 0) return {};
  }
  // A tile of single cells says how many fit into a piece.
  std::unique_ptr<cell_formatter> single;
  if (status s = formatter(1, single); !s.ok()) return s;
  const std::size_t cells = std::max<std::size_t>(1, single->tile_rows / parts);
  piece_columns_ = std::min(columns, cells);
  pieces_in_row_ = parts_of(columns, piece_columns_);
  const std::size_t rest = columns % piece_columns_;
  if (rest != 0)
    if (status s = formatter(rest, last_); !s.ok()) return s;
  if (status s = formatter(piece_columns_, full_); !s.ok()) return s;
  piece_rows_ = pieces_in_row_ == 1 ? std::min(full_->tile_rows, cells / columns) : 1;
  return {};
}

piece_producer cell_pieces::producer(const text_matrix& matrix) const {
  piece_producer result;
  result.pieces = parts_of(matrix.rows(), piece_rows_) * pieces_in_row_;
  result.produce = [this, &matrix](std::size_t piece, piece_workspace& space, std::size_t& bytes) {
    return produce(matrix, piece, space, bytes);
  };
  return result;
}

status cell_pieces::produce(const text_matrix& matrix, std::size_t piece, piece_workspace& space,
                            std::size_t& bytes) const {
  const std::size_t row = piece / pieces_in_row_ * piece_rows_;
  const std::size_t rows = std::min(piece_rows_, matrix.rows() - row);
  column_range columns;
  columns.first = piece % pieces_in_row_ * piece_columns_;
  columns.count = std::min(piece_columns_, columns_ - columns.first);
  const std::size_t elem_len = matrix.array().elem_len;
  const char* tile = matrix.in_place(row);
  if (tile != nullptr) {
    tile += columns.first * elem_len;
  } else {
    space.tile.reserve(piece_rows_ * piece_columns_ * elem_len);
    matrix.gather(row, rows, columns, space.tile.data());
    tile = space.tile.data();
  }
  const cell_formatter& cells = columns.count < piece_columns_ ? *last_ : *full_;
  if (status s = cells.format(tile, rows, space.text, space.scratch, bytes); !s.ok()) return s;
  // A formatter ends its rows: here the row goes on.
  if (columns.first + columns.count < columns_) space.text.data()[bytes - 1] = delimiter_;
  return {};
}

}  // namespace headrace
