// Runs of cells to values, with what missing ones become: the one converter of arrays, tables and
// cells. Next: cell_parser.hpp (what a value is), missing.hpp (what a missing cell is),
// bad_cells.hpp (what is said of all others).
#pragma once

#include <string>

#include "cell_parser.hpp"
#include "missing.hpp"

namespace headrace {

// Threads may share one.
class cell_converter {
 public:
  cell_converter() = default;
  // Failure: missing= names a value that the type does not have.
  status prepare(cell_parser parser, const missing_option& missing);

  // As cell_parser::parse; a missing cell is good if missing= says what it becomes, and empty
  // otherwise.
  std::size_t convert(const char* text, const std::uint32_t* ends, std::size_t first,
                      std::size_t last, char* values, cell_state& state) const;

  const cell_parser& parser() const noexcept { return parser_; }
  const missing_texts& texts() const noexcept { return texts_; }
  std::size_t elem_len() const noexcept { return parser_.elem_len(); }

 private:
  std::size_t convert_each(const char* text, const std::uint32_t* ends, std::size_t first,
                           std::size_t last, char* values, cell_state& state) const;
  std::size_t replace(char* values, std::size_t count) const noexcept;
  bool becomes_value(std::string_view cell, cell_state& state) const;

  cell_parser parser_;
  missing_texts texts_;
  missing_values stand_ins_;  // values that stand for a missing one
  bool texts_first_ = false;  // a text for a missing value is a value, too: T among logicals
  std::string replacement_;   // bytes of what a missing value becomes; empty: an error
};

}  // namespace headrace
