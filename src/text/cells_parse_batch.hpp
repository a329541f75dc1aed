// A batch of cells to values of one type. Next: kernels/parse_numbers.hpp, kernels/parse_one.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "../core/array_view.hpp"
#include "cells_parse.hpp"
#include "kernels/parse_numbers.hpp"

namespace headrace {

enum class cell_state : std::uint8_t { good, empty, wrong, too_large, too_long, has_fraction };

struct value_type {
  type_class type;
  std::size_t elem_len;
};

// Fields first to last - 1 of a map (see parse_fields) to values. Returns the first that is not
// good, or last.
std::size_t parse_batch(const char* text, const std::uint32_t* ends, std::size_t first,
                        std::size_t last, const value_type& type, const parse_style& style,
                        char* values, cell_state& state);

// One cell, blanks around it do not count (in characters they do).
cell_state parse_cell(std::string_view text, const value_type& type, const parse_style& style,
                      char* value);

// "integer(int32)", "real(real64)", "character(len=8)"
std::string name_of_type(const value_type& type);

}  // namespace headrace
