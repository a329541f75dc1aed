// Text files to whole arrays, or to chunks of rows. Next: rows.hpp (blocks of rows).
#pragma once

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "../core/shared_work.hpp"
#include "header.hpp"
#include "input.hpp"
#include "matrix.hpp"
#include "progress.hpp"
#include "rows.hpp"

namespace headrace {

// Fills all elements of an array but of characters (../cells/characters.hpp), those only through
// edit=. Precondition: byte_count(array) has a value.
status read_text(const std::string& file, const array_view& array, const read_settings& settings);

// The same in element order through settings.text.edit: a Fortran format, or "*".
status read_text_edited(const std::string& file, const array_view& array,
                        const read_settings& settings);

// The rows and columns that a file should have; a file of one row fits an array of rank 1 too.
array_view fitting_view(const array_view& array, std::size_t file_columns);

// How the line begins that holds the extents of an array of rank 3 and more.
inline constexpr std::string_view shape_mark = "# shape:";

// Blocks that threads work on at the same time, counted in the order of the file.
class block_order {
 public:
  // Waits until all blocks before index have passed, tells where this one stands and lets the next
  // one pass. False when stop() was called: the position is not known then.
  bool pass(std::size_t index, const row_block& block, row_position& position) {
    std::unique_lock<std::mutex> lock(guard_);
    passed_.wait(lock, [&] { return next_ == index || stopped_; });
    if (stopped_) return false;
    position = position_;
    block.pass(position_);
    ++next_;
    lock.unlock();
    passed_.notify_all();
    return true;
  }

  // Lines before the first block.
  void begin_at_line(std::uint64_t lines) noexcept { position_.lines = lines; }

  std::uint64_t rows() const {
    const std::lock_guard<std::mutex> lock(guard_);
    return position_.rows;
  }

  // Lets no block pass any more.
  void stop() {
    const std::lock_guard<std::mutex> lock(guard_);
    stopped_ = true;
    passed_.notify_all();
  }

  bool stopped() const {
    const std::lock_guard<std::mutex> lock(guard_);
    return stopped_;
  }

 private:
  mutable std::mutex guard_;
  std::condition_variable passed_;
  std::size_t next_ = 0;
  row_position position_;
  bool stopped_ = false;
};

// Reads the rows of a file in order, by several threads, in memory that does not depend on its
// size.
class text_row_reader {
 public:
  status open(const std::string& file, const read_settings& settings);
  // Looks at the first lines: shape, header, columns. The type tells a header from data.
  status begin(type_class type, std::size_t elem_len);

  std::size_t columns() const noexcept { return rules_.wanted_columns(); }
  // Of the columns that are read; none if the file has no header. column_unknown: there are more
  // or fewer of them than columns.
  status names(std::vector<std::string>& names) const;
  // Extents of a "# shape:" line, empty without one.
  const std::vector<std::size_t>& shape() const noexcept { return shape_; }
  void on_progress(progress_function function) { progress_ = std::move(function); }

  // Fills the first rows of a matrix until there are so many or the file ends; count is the number
  // of rows read. matrix null: they are left out.
  status read(const text_matrix* matrix, std::uint64_t rows, std::uint64_t& count);
  status count_rest(std::uint64_t& count) { return read(nullptr, UINT64_MAX, count); }
  // True when there are no more rows.
  status at_end(bool& end);

  status check_unchanged() const { return input_.check_unchanged(); }

 private:
  struct slot {
    text_block block;
    row_block rows;
    row_position position;
    std::size_t used = 0;  // rows given away; of a block of pieces of lines: lines
    bool finished() const noexcept {
      return used == (rows.has_pieces() ? rows.lines() : rows.rows());
    }
    buffer tile;
  };
  // Where rows go: to a matrix, or nowhere when they are only counted.
  struct target {
    const text_matrix* matrix;
    std::uint64_t first;  // number of the row in the file that becomes row 0
    std::uint64_t rows;   // how many are wanted
  };

  status open_lines();
  status take_line(std::string& line, bool& found);
  status first_line(text_block& line, row_block& cells, bool& found, bool& is_long);
  status count_long_line();
  status find_columns();
  status choose_columns();
  status choose_named();
  status check_names() const;
  status take_header(text_block& line, row_block& cells, bool& found, bool& is_long);
  status look_at_quotes(const row_block& cells, quotes_say& says);
  status unclear_quotes(const row_block& cells) const;

  status next_slot(slot& from, bool& found);
  status convert(slot& from, const target& to);
  status convert_pieces(slot& from, const target& to);
  status convert_piece(slot& from, std::size_t line, const target& to);
  void keep(std::unique_ptr<slot> from);
  status tell_progress() const;

  text_input input_;
  row_rules rules_;
  std::vector<std::size_t> shape_;
  std::string first_line_;  // as it is in the file
  bool has_header_ = false;
  bool cut_header_ = false;         // it is longer than a block
  std::vector<std::string> names_;  // of all columns
  bool has_rows_ = false;           // behind the header
  progress_function progress_;
  int threads_ = 1;
  std::uint64_t lines_before_ = 0;  // of the blocks
  block_order order_;
  std::uint64_t given_ = 0;  // rows
  status failure_;           // ends the reading: every later call gives it again
  std::mutex guard_;
  std::vector<std::unique_ptr<slot>> waiting_;  // have rows to give, in the order of the file
};

}  // namespace headrace
