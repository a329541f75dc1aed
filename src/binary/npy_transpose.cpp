#include "npy_transpose.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "../core/buffer.hpp"
#include "../core/byte_swap.hpp"

namespace headrace {
namespace {

// A tile holds parts of many rows; the longer its columns, the more bytes follow one another where
// they go to.
constexpr std::size_t tile_bytes = std::size_t{2} << 20;
constexpr std::size_t longest_part = std::size_t{32} << 10;  // of a row; a system call each
constexpr std::size_t enough_rows = 16;
constexpr std::size_t most_rows = 4096;  // whose places stay in the cache too
// Rows that are read one by one begin at different places of a page: the cache keeps them together.
constexpr std::size_t row_padding = 64;
constexpr std::ptrdiff_t group = 8;

using offsets = std::vector<std::ptrdiff_t>;

// The array as a matrix: the first dimensions are its rows, the others its columns, which lie one
// after another in the file.
struct matrix {
  array_view array;
  int split = 1;                  // dimensions that are rows
  std::ptrdiff_t outer_rows = 1;  // of all row dimensions but the last
  std::ptrdiff_t columns = 1;
  std::size_t elem_len = 1;

  explicit matrix(const array_view& whole) : array(whole), elem_len(whole.elem_len) {
    while (split < array.array_rank - 1 && row_count() < static_cast<std::ptrdiff_t>(enough_rows))
      outer_rows *= array.extent[split - 1], ++split;
    for (int d = split; d < array.array_rank; ++d) columns *= array.extent[d];
  }
  std::ptrdiff_t inner_rows() const { return array.extent[split - 1]; }
  std::ptrdiff_t row_count() const { return outer_rows * inner_rows(); }
  std::size_t row_bytes() const { return static_cast<std::size_t>(columns) * elem_len; }

  // Where the outer rows begin in the array, and which they are in the file.
  std::ptrdiff_t outer_place(std::ptrdiff_t outer, std::ptrdiff_t& in_file) const {
    std::ptrdiff_t place = 0;
    in_file = 0;
    for (int d = 0; d < split - 1; ++d) {
      place += outer % array.extent[d] * array.stride[d];
      in_file = in_file * array.extent[d] + outer % array.extent[d];
      outer /= array.extent[d];
    }
    return place;
  }
  // Where columns from first on begin in the array, as many as there are places.
  void place_columns(std::ptrdiff_t first, offsets& places) const {
    const int last = array.array_rank - 1;
    for (std::size_t done = 0; done < places.size();) {
      std::ptrdiff_t index = first + static_cast<std::ptrdiff_t>(done);
      const std::ptrdiff_t in_line = index % array.extent[last];
      std::ptrdiff_t place = in_line * array.stride[last];
      index /= array.extent[last];
      for (int d = last - 1; d >= split; --d) {
        place += index % array.extent[d] * array.stride[d];
        index /= array.extent[d];
      }
      const auto left = static_cast<std::size_t>(array.extent[last] - in_line);
      const std::size_t end = std::min(places.size(), done + left);
      for (; done < end; ++done, place += array.stride[last]) places[done] = place;
    }
  }
};

// Elements in the buffer, and where each of its rows and columns goes.
struct tile {
  const char* from = nullptr;
  char* to = nullptr;
  offsets row_from;
  offsets row_to;
  offsets column_to;
};

// Groups of rows and columns: whole cache lines are read and written.
template <class Copy>
void move_tile(const tile& part, std::ptrdiff_t elem_len, Copy copy) noexcept {
  const auto rows = static_cast<std::ptrdiff_t>(part.row_to.size());
  const auto columns = static_cast<std::ptrdiff_t>(part.column_to.size());
  for (std::ptrdiff_t c = 0; c < columns; c += group)
    for (std::ptrdiff_t r = 0; r < rows; r += group)
      for (std::ptrdiff_t column = c; column < std::min(c + group, columns); ++column) {
        const char* const from = part.from + column * elem_len;
        char* const to = part.to + part.column_to[static_cast<std::size_t>(column)];
        const auto last = static_cast<std::size_t>(std::min(r + group, rows));
        for (auto row = static_cast<std::size_t>(r); row < last; ++row)
          copy(to + part.row_to[row], from + part.row_from[row]);
      }
}

template <std::size_t Bytes>
void move_fixed(const tile& part) noexcept {
  move_tile(part, Bytes, [](char* to, const char* from) { std::memcpy(to, from, Bytes); });
}

void move(const tile& part, std::size_t elem_len) noexcept {
  switch (elem_len) {
    case 1:
      return move_fixed<1>(part);
    case 2:
      return move_fixed<2>(part);
    case 4:
      return move_fixed<4>(part);
    case 8:
      return move_fixed<8>(part);
    case 16:
      return move_fixed<16>(part);
    default:
      return move_tile(part, static_cast<std::ptrdiff_t>(elem_len),
                       [elem_len](char* to, const char* from) { std::memcpy(to, from, elem_len); });
  }
}

// Walks over the matrix in tiles.
class transposer {
 public:
  transposer(const array_view& array, std::size_t swapped_word, const fill_from& source)
      : matrix_(array), word_(swapped_word), source_(source) {
    const std::size_t elem_len = matrix_.elem_len;
    const std::size_t row = matrix_.row_bytes();
    whole_rows_ = row <= longest_part / 2;
    width_ = whole_rows_ ? matrix_.columns
                         : static_cast<std::ptrdiff_t>(
                               std::max<std::size_t>(std::min(row, longest_part) / elem_len, 1));
    pitch_ = static_cast<std::size_t>(width_) * elem_len + (whole_rows_ ? 0 : row_padding);
    const std::size_t all_rows = std::min(tile_bytes / pitch_, most_rows);
    const std::size_t rows =
        std::max<std::size_t>(all_rows / static_cast<std::size_t>(matrix_.outer_rows), 1);
    height_ = std::min(static_cast<std::ptrdiff_t>(rows), matrix_.inner_rows());
    memory_.reserve(static_cast<std::size_t>(height_ * matrix_.outer_rows) * pitch_);
  }

  status run() {
    for (std::ptrdiff_t row = 0; row < matrix_.inner_rows(); row += height_)
      for (std::ptrdiff_t column = 0; column < matrix_.columns; column += width_)
        if (status s = move_part(row, column); !s.ok()) return s;
    return {};
  }

 private:
  status move_part(std::ptrdiff_t row, std::ptrdiff_t column) {
    const std::ptrdiff_t rows = std::min(height_, matrix_.inner_rows() - row);
    const std::ptrdiff_t columns = std::min(width_, matrix_.columns - column);
    tile_.from = memory_.data();
    tile_.to = matrix_.array.base + row * matrix_.array.stride[matrix_.split - 1];
    place_rows(rows);
    tile_.column_to.resize(static_cast<std::size_t>(columns));
    matrix_.place_columns(column, tile_.column_to);
    for (std::ptrdiff_t outer = 0; outer < matrix_.outer_rows; ++outer)
      if (status s = read_rows(outer, row, rows, column, columns); !s.ok()) return s;
    move(tile_, matrix_.elem_len);
    return {};
  }

  // The same for all tiles of that height.
  void place_rows(std::ptrdiff_t rows) {
    if (tile_.row_to.size() == static_cast<std::size_t>(rows * matrix_.outer_rows)) return;
    tile_.row_from.clear();
    tile_.row_to.clear();
    for (std::ptrdiff_t row = 0; row < rows; ++row)
      for (std::ptrdiff_t outer = 0; outer < matrix_.outer_rows; ++outer) {
        std::ptrdiff_t in_file = 0;
        const std::ptrdiff_t place = matrix_.outer_place(outer, in_file);
        tile_.row_from.push_back((outer * height_ + row) * static_cast<std::ptrdiff_t>(pitch_));
        tile_.row_to.push_back(place + row * matrix_.array.stride[matrix_.split - 1]);
      }
  }

  status read_rows(std::ptrdiff_t outer, std::ptrdiff_t row, std::ptrdiff_t rows,
                   std::ptrdiff_t column, std::ptrdiff_t columns) {
    std::ptrdiff_t in_file = 0;
    matrix_.outer_place(outer, in_file);
    const std::ptrdiff_t first = in_file * matrix_.inner_rows() + row;
    char* const to = memory_.data() + static_cast<std::size_t>(outer * height_) * pitch_;
    if (whole_rows_) return read(first * matrix_.columns, to, rows * columns);
    for (std::ptrdiff_t r = 0; r < rows; ++r)
      if (status s = read((first + r) * matrix_.columns + column,
                          to + static_cast<std::size_t>(r) * pitch_, columns);
          !s.ok())
        return s;
    return {};
  }

  status read(std::ptrdiff_t element, char* to, std::ptrdiff_t elements) {
    const std::size_t bytes = static_cast<std::size_t>(elements) * matrix_.elem_len;
    status s = source_(static_cast<std::uint64_t>(element) * matrix_.elem_len, to, bytes);
    if (s.ok() && word_ > 1) swap_bytes(to, to, bytes / word_, word_);
    return s;
  }

  matrix matrix_;
  std::size_t word_;
  const fill_from& source_;
  bool whole_rows_ = false;
  std::ptrdiff_t width_ = 1;   // columns of a tile
  std::ptrdiff_t height_ = 1;  // inner rows of a tile
  std::size_t pitch_ = 0;      // bytes from row to row in the buffer
  buffer memory_;
  tile tile_;
};

}  // namespace

status transpose_in(const array_view& array, std::size_t swapped_word, const fill_from& source) {
  return transposer(array, swapped_word, source).run();
}

}  // namespace headrace
