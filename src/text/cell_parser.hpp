// What the text of a value is: cells to contiguous values of one type, for arrays, tables and
// cells. Next: kernels/parse_numbers.hpp, kernels/parse_one.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "../core/array_view.hpp"
#include "../core/settings.hpp"
#include "../core/status.hpp"
#include "kernels/parse_numbers.hpp"
#include "times.hpp"

namespace headrace {

struct value_type {
  type_class type = type_class::real;
  std::size_t elem_len = 8;
};

struct cell_style {
  bool hexadecimal = false;
  char decimal = '.';
  std::string imaginary;    // what follows an imaginary part; empty: i, j, *1i, ...
  bool as_seconds = false;  // dates and times become seconds since the epoch
  time_stamp epoch;
};

enum class cell_state : std::uint8_t { good, empty, wrong, too_large, too_long, has_fraction };

// Converts the cells of a field_map. Threads may share one.
class cell_parser {
 public:
  cell_parser() = default;
  cell_parser(const value_type& type, cell_style style) : type_(type), style_(std::move(style)) {}

  // Cells first to last - 1 to values; stops at the first that is not good and gives its number and
  // state, as parse_fields does. ends[-1] exists.
  std::size_t parse(const char* text, const std::uint32_t* ends, std::size_t first,
                    std::size_t last, char* values, cell_state& state) const noexcept;
  // One cell; blanks around it do not count (in characters they do).
  cell_state parse(std::string_view text, char* value) const noexcept;
  // The bytes of its value; false if it has none.
  bool parse(const std::string& text, std::string& value) const;

  type_class type() const noexcept { return type_.type; }
  std::size_t elem_len() const noexcept { return type_.elem_len; }
  const cell_style& style() const noexcept { return style_; }
  bool is_integer() const noexcept { return type_.type == type_class::integer; }

  // "a real number", "an integer", "a date or time": as messages say it.
  std::string expected() const;

 private:
  std::size_t parse_each(const char* text, const std::uint32_t* ends, std::size_t first,
                         std::size_t last, char* values, cell_state& state) const noexcept;
  cell_state parse_complex(std::string_view text, char* value) const noexcept;
  cell_state parse_complex_part(std::string_view text, char* value) const noexcept;
  cell_state parse_time(std::string_view text, time_stamp_parser& times,
                        char* value) const noexcept;

  value_type type_;
  cell_style style_;
};

// The type as text, in the layout of an array. Failures: a kind without a text form, a number= that
// is none of reading.
status make_cell_parser(const text_layout& layout, const value_type& type, cell_parser& parser);

// The text of a field without blanks around it.
std::string_view field_text(const char* text, const std::uint32_t* ends,
                            std::size_t field) noexcept;

}  // namespace headrace
