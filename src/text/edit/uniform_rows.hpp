// Formats whose records are all the same, such as (10e15.5) or (3(es24.16e3,:,',')): every field
// has its place, so that rows are formatted and read in parallel and in vector registers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>

#include "../../core/array_view.hpp"
#include "../kernels/parse_numbers.hpp"
#include "edit_format.hpp"

namespace headrace {

// Longer records go value by value: a thread would need the whole of one.
inline constexpr std::size_t longest_uniform_record = std::size_t{8} << 20;

// How many threads may hold so many bytes each, of records and their values: fewer if they are
// long.
inline int threads_that_hold(std::size_t bytes, int threads) noexcept {
  constexpr std::size_t bytes_of_all = std::size_t{32} << 20;
  return static_cast<int>(std::clamp<std::size_t>(bytes_of_all / std::max<std::size_t>(1, bytes), 1,
                                                  static_cast<std::size_t>(threads)));
}

// Writes numbers row after row.
class row_formatter {
 public:
  virtual ~row_formatter() = default;
  // Values in a full record, and its bytes with the line feed.
  std::size_t values = 0;
  std::size_t bytes = 0;
  // Formats n values that begin a record; returns the end. The last record may be short (it ends as
  // gfortran ends it, with its line feed). out needs room for the text and format_slack bytes.
  // more_follow: n is a multiple of values and further values come after these; a full record then
  // ends differently than the last one if the format has a colon or text after its last field.
  virtual char* format(char* out, const void* contiguous_values, std::size_t n,
                       bool more_follow = false) const noexcept = 0;
};

// Null when the format is not uniform or has no fast kernel for the type: write_edited then.
std::unique_ptr<row_formatter> make_row_formatter(const edit_format& format, type_class type,
                                                  std::size_t elem_len);

// Reads numbers row after row.
class row_parser {
 public:
  virtual ~row_parser() = default;
  std::size_t values = 0;
  std::size_t bytes = 0;  // of a full record with its line feed
  // Reads n values of full records that follow each other without a gap (parse_padding before and
  // after). Returns how many are good: less than n when a field or a record lacks the expected
  // layout (read_edited then says why, or reads it).
  virtual std::size_t parse(const char* text, std::size_t n,
                            void* contiguous_values) const noexcept = 0;
};

// Null when the format is not uniform or has no fast kernel for the type: read_edited then.
std::unique_ptr<row_parser> make_row_parser(const edit_format& format, type_class type,
                                            std::size_t elem_len);

}  // namespace headrace
