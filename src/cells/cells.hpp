// An array of texts, rows times columns, in blocks of whole rows: one buffer and four bytes a cell
// beside its text, nothing beside it if all cells of a block are equally long. Cells lie row by
// row with one byte between them, so that most files are blocks as they are.
// Next: format.hpp and parse.hpp (numbers), file.hpp, edit.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "../core/blanks.hpp"
#include "../core/name_text.hpp"
#include "../core/status.hpp"
#include "../text/row_scan.hpp"
#include "memory.hpp"

namespace headrace {

// Lines of a file that are no rows: blank lines, comments.
struct skipped_lines {
  std::uint32_t before_row;  // of the block
  std::uint32_t lines;       // all that are skipped in the block up to here
};

struct cell_block {
  cell_memory text;
  std::size_t bytes = 0;  // of the text, every cell with the byte that follows it
  std::size_t first_row = 0;
  std::size_t rows = 0;
  std::size_t columns = 0;

  // ends[k + 1] is the offset of the byte after cell k, ends[0] is -1 (see field_map in
  // kernels/parse_numbers.hpp). Null: all cells have `width` bytes.
  std::unique_ptr<std::uint32_t[]> ends;
  std::uint32_t width = 0;
  bool may_have_quotes = true;  // false: no cell is quoted

  // Of the file the block comes from; lines is 0 when there is none.
  std::uint64_t first_line = 0;
  std::uint64_t lines = 0;
  std::vector<skipped_lines> skips;

  std::size_t count() const noexcept { return rows * columns; }
  std::size_t begin_of(std::size_t cell) const noexcept {
    return ends ? std::uint32_t(ends[cell] + 1) : cell * (std::size_t{width} + 1);
  }
  std::size_t end_of(std::size_t cell) const noexcept {
    return ends ? ends[cell + 1] : cell * (std::size_t{width} + 1) + width;
  }
  std::string_view raw(std::size_t cell) const noexcept {
    const std::size_t begin = begin_of(cell);
    return {text.data() + begin, end_of(cell) - begin};
  }
  // Takes over the ends of all cells, or drops them when the cells are equally long.
  void set_ends(const std::uint32_t* cell_ends);
};

// Where cells stand in the file they come from, when the array at hand does not say it.
class cell_places {
 public:
  struct place {
    std::uint64_t line = 0;  // from 1
    std::uint64_t byte = 0;  // of the line, from 1
  };
  virtual ~cell_places() = default;
  virtual place place_of(std::size_t row, std::size_t column) const noexcept = 0;
};

class cell_array {
 public:
  std::size_t rows() const noexcept { return rows_; }
  std::size_t columns() const noexcept { return columns_; }
  // Bytes of all cells with their separators.
  std::uint64_t bytes() const noexcept;

  const std::vector<cell_block>& blocks() const noexcept { return blocks_; }
  std::size_t block_of(std::size_t row) const noexcept;

  // One cell; scratch holds it when it has to be decoded.
  std::string_view text(std::size_t row, std::size_t column, std::string& scratch) const;
  std::string_view text(const cell_block& block, std::size_t cell, std::string& scratch) const;
  // True when a cell stands for itself and need not be decoded.
  bool is_plain(std::string_view raw) const noexcept {
    return decoding.raw || (!decoding.trims_ends && !raw.empty() && raw.front() != decoding.quote &&
                            !is_blank(raw.front()) && (!decoding.ends_rows || raw.back() != '\r'));
  }

  // Where a cell stands: line and column of the file, or row and column of the array.
  status at_cell(status failure, std::size_t row, std::size_t column) const;
  std::uint64_t line_of(std::size_t row, std::size_t column) const noexcept;

  // Blocks follow each other; their first_row is set here. All have the same columns.
  status append(std::vector<cell_block> blocks);
  void replace_block(std::size_t number, cell_block block) noexcept;

  std::string file;  // where it was read, for messages
  cell_decoding decoding;
  std::size_t first_column = 0;  // in the table it is a column of
  std::weak_ptr<const cell_places> places;
  char separator =
      ',';  // the byte after every cell but the last of a row: a line feed follows that

 private:
  std::size_t blanks_before(std::size_t row, std::size_t column) const noexcept;

  std::vector<cell_block> blocks_;
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
};

// The largest text of a block and so of a row: offsets have four bytes.
inline constexpr std::size_t largest_block_text = std::size_t{1} << 31;
// What a block should have.
inline constexpr std::size_t usual_block_text = std::size_t{4} << 20;

// A block of cells that come one after another.
class block_builder {
 public:
  explicit block_builder(std::size_t columns, char separator = ',')
      : columns_(columns), separator_(separator) {
    ends_.push_back(UINT32_MAX);
  }
  void add(std::string_view cell) {
    text_.append(cell);
    end_cell();
  }
  // For those who append to text() themselves.
  std::string& text() noexcept { return text_; }
  void end_cell() {
    ends_.push_back(static_cast<std::uint32_t>(text_.size()));
    text_ += (ends_.size() - 1) % columns_ == 0 ? '\n' : separator_;
  }
  std::size_t rows() const noexcept { return (ends_.size() - 1) / columns_; }
  // Leaves the builder empty. line_too_long when a row has 2 GiB or more.
  status finish(cell_block& block);

 private:
  std::size_t columns_;
  char separator_;
  std::string text_;
  std::vector<std::uint32_t> ends_;
};

}  // namespace headrace
