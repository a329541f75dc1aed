// The parts of a field with a real in it. Used by edit_write_real*.cpp alone.
#pragma once

#include "edit_write_real.hpp"

namespace headrace {

struct real_field::parts {
  bool negative = false;
  char sign = '\0';  // none
  int width = 0;     // without the blanks after it
  int digits = 0;    // d
  int scale = 0;

  int before = 0;  // digits before the point
  int zeros = 0;   // zeros after the point, before the digits
  int after = 0;   // digits after them

  // The exponent with its letter and sign; fits is false when it has more digits than the field.
  static constexpr int exponent_capacity = 16;
  char exponent[exponent_capacity];
  int exponent_length = 0;  // of what stands in exponent
  int exponent_zeros = 0;   // between its sign and its digits
  bool exponent_fits = true;

  int trailing = 0;  // blanks after the field, of G
  // Digits other than zero were cut off, not rounded. gfortran then takes no zero for a zero.
  bool truncated = false;

  int exponent_width() const noexcept {
    return exponent_fits ? exponent_length + exponent_zeros : -1;
  }
};

}  // namespace headrace
