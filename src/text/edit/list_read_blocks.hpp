// Lines of plain numbers, many at once: the fast path of list-directed reading.
// Next: ../kernels/parse_numbers.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "../../core/array_view.hpp"
#include "../kernels/parse_numbers.hpp"
#include "edit_dialect.hpp"
#include "edit_read_cursor.hpp"
#include "edit_read_elements.hpp"

namespace headrace {

class list_block_reader {
 public:
  list_block_reader(text_cursor& cursor, const array_view& array, char decimal,
                    const edit_dialect& dialect);

  // At the beginning of a line: reads lines as long as they hold nothing but numbers between
  // separators of one sort. The first other line is left to the exact reader. Returns false when
  // no line was read.
  bool read_lines(element_walker& elements);

 private:
  bool read_block(std::string_view lines, element_walker& elements);
  std::size_t parse(std::string_view lines, std::size_t fields);
  void store(std::size_t count, element_walker& elements) const noexcept;

  text_cursor& cursor_;
  type_class type_;
  std::size_t elem_len_;
  char decimal_;
  bool takes_semicolons_;
  bool takes_points_;
  bool takes_lone_returns_;
  // After a line that is no plain line, some more are left to the exact reader.
  std::size_t lines_to_leave_ = 0;
  std::size_t patience_ = 1;
  std::vector<std::uint32_t> ends_;
  std::vector<std::uint32_t> line_fields_;
  std::vector<char> values_;
  field_map map_;
};

}  // namespace headrace
