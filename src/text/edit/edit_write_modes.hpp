// What control edit descriptors set for the data edit descriptors after them.
#pragma once

#include "edit_format.hpp"

namespace headrace {

struct edit_modes {
  int scale = 0;        // kP
  char sign = 's';      // 's', '+', '-' as in edit_item::value
  char rounding = 's';  // 's' (not set: to nearest) or as in edit_item::value
  char decimal = '.';
  bool blank_zero = false;      // BZ
  bool strict_decimal = false;  // with a comma a point is none

  bool operator==(const edit_modes& other) const noexcept {
    return scale == other.scale && sign == other.sign && rounding == other.rounding &&
           decimal == other.decimal && blank_zero == other.blank_zero &&
           strict_decimal == other.strict_decimal;
  }

  // Whether a descriptor sets a mode; it is set then.
  bool set(const edit_item& item) noexcept {
    const auto value = static_cast<char>(item.value);
    switch (item.kind) {
      case edit_kind::scale:
        return scale = item.value, true;
      case edit_kind::sign:
        return sign = value, true;
      case edit_kind::rounding:
        return rounding = value, true;
      case edit_kind::decimal:
        return decimal = value, true;
      case edit_kind::blank:
        return blank_zero = value == 'z', true;
      default:
        return false;
    }
  }
};

}  // namespace headrace
