// Where the fields of a record stand, when all records of a format are the same. Next:
// uniform_parse.cpp reads with it.
#pragma once

#include <vector>

#include "../../core/array_view.hpp"
#include "edit_format.hpp"

namespace headrace {

struct column {
  std::uint32_t begin = 0;  // offset in the record
  std::uint32_t width = 0;
  int digits = 0;  // behind a decimal point that is not written
  int scale = 0;
  char decimal = '.';
  bool is_hexadecimal = false;
  bool strict_decimal = false;  // with a decimal comma a point is none

  bool operator==(const column& other) const noexcept {
    return begin == other.begin && width == other.width && digits == other.digits &&
           scale == other.scale && decimal == other.decimal &&
           is_hexadecimal == other.is_hexadecimal && strict_decimal == other.strict_decimal;
  }
};

// False when the records of the format are not all the same, or when a descriptor has no fast
// kernel for the type.
bool plan_columns(const edit_format& format, type_class type, std::vector<column>& columns);

}  // namespace headrace
