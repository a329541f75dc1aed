// What control edit descriptors set for the data edit descriptors after them.
#pragma once

namespace headrace {

struct edit_modes {
  int scale = 0;        // kP
  char sign = 's';      // 's', '+', '-' as in edit_item::value
  char rounding = 's';  // 's' (not set) or as in edit_item::value
  char decimal = '.';

  bool operator==(const edit_modes& other) const noexcept {
    return scale == other.scale && sign == other.sign && rounding == other.rounding &&
           decimal == other.decimal;
  }
};

}  // namespace headrace
