// Text files to whole arrays, or to chunks of rows. Next: text_rows.hpp (blocks of rows).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text_input.hpp"
#include "text_matrix.hpp"
#include "text_rows.hpp"

namespace headrace {

// Fills all elements of an array. Precondition: byte_count(array) has a value.
status read_text(const std::string& file, const array_view& array, const read_settings& settings);

// The same in element order through settings.text.edit: a Fortran format, or "*".
status read_text_edited(const std::string& file, const array_view& array,
                        const read_settings& settings);

// The same for arrays of characters, whose cells may be quoted.
status read_text_characters(const std::string& file, const array_view& array,
                            const read_settings& settings);

// The rows and columns that a file should have; a file of one row fits an array of rank 1 too.
array_view fitting_view(const array_view& array, std::size_t file_columns);

// How the line begins that holds the extents of an array of rank 3 and more.
inline constexpr std::string_view shape_mark = "# shape:";

// Rows with data and the columns that settings choose.
status text_shape(const std::string& file, const read_settings& settings, type_class type,
                  std::uint64_t& rows, std::uint64_t& columns);

// Called now and then with bytes done and in all (0 when unknown); false ends the reading.
using progress_function = std::function<bool(std::uint64_t, std::uint64_t)>;

// Reads the rows of a file in order, by several threads, in memory that does not depend on its
// size.
class text_row_reader {
 public:
  status open(const std::string& file, const read_settings& settings);
  // Looks at the first lines: shape, header, columns. The type tells a header from data.
  status begin(type_class type, std::size_t elem_len);

  std::size_t columns() const noexcept { return rules_.wanted_columns(); }
  // Extents of a "# shape:" line, empty without one.
  const std::vector<std::size_t>& shape() const noexcept { return shape_; }
  void on_progress(progress_function function) { progress_ = std::move(function); }

  // Fills rows of the matrix until it or the file ends; count is the number of rows read.
  status read(const text_matrix& matrix, std::size_t& count);
  // Leaves rows out until the end; count is their number.
  status count_rest(std::uint64_t& count);
  // True when there are no more rows.
  status at_end(bool& end);

  status check_unchanged() const { return input_.check_unchanged(); }

 private:
  struct slot {
    text_block block;
    row_block rows;
    row_position position;
    std::size_t used = 0;  // rows given away
    status found;
  };

  status open_lines();
  status take_line(std::string& line, bool& found);
  status first_line(text_block& line, bool& found);
  status find_columns();
  bool is_header(const row_block& cells) const;
  status refill();
  status report_progress();

  text_input input_;
  row_rules rules_;
  std::vector<std::size_t> shape_;
  progress_function progress_;
  int threads_ = 1;
  row_position position_;  // behind the last slot
  std::vector<std::unique_ptr<slot>> slots_;
  std::size_t filled_ = 0;  // slots with a block
  std::size_t current_ = 0;
  std::vector<buffer> tiles_;  // one for each thread
};

}  // namespace headrace
