// Whose formatted and list-directed I/O is spoken: that of one version of gfortran. What changed in
// which version stands in one table, in edit_dialect.cpp; everything else is the same from gfortran
// 11 on.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "../../core/status.hpp"

namespace headrace {

// What a version does and older ones do not, in the order of the table.
enum class edit_feature : std::uint8_t {
  zero_exponent,       // e0.3 of 1 has its exponent
  digits_as_given,     // es0.0 and es0 write no digit after the point; before, as many as needed
  strict_decimal,      // with a decimal comma a point is no decimal symbol
  strict_separators,   // ; separates values only with a decimal comma, a comma only with a point
  binary_64,           // b64.0 looks at all bits before it takes a value for zero
  blank_zero_padding,  // BZ: the blanks that fill up a short line are zeros, too
  commas,              // a comma or a slash or colon must stand between edit descriptors
  semicolon_in_text,   // ; is a character like any other in strings without quotes
  exact_tabs,          // (a,3x,t2) goes on at column 2; before, blanks put off were counted twice
  full_exponent,       // e0.3 and g0 write as many exponent digits as the kind has
};

inline constexpr int edit_features = 10;

class edit_dialect {
 public:
  // Of the newest gfortran that is known.
  edit_dialect() noexcept;

  // Of a gfortran by its major version; versions that are not known are as their nearest neighbour.
  static edit_dialect of_gfortran(int version) noexcept;

  bool has(edit_feature feature) const noexcept { return (features_ & bit(feature)) != 0; }
  void set(edit_feature feature, bool present) noexcept {
    features_ = present ? features_ | bit(feature) : features_ & ~bit(feature);
  }
  bool operator==(const edit_dialect& other) const noexcept { return features_ == other.features_; }

 private:
  static constexpr std::uint32_t bit(edit_feature feature) noexcept {
    return std::uint32_t{1} << static_cast<unsigned>(feature);
  }
  std::uint32_t features_ = 0;
};

// "gfortran11" ... "gfortran16", or the features themselves as the bindings found them in the
// program's own run time: "features:" and a 0 or 1 for each. Empty: the newest.
status parse_dialect(std::string_view text, edit_dialect& dialect);

// "gfortran14"; empty when it is that of no version.
std::string name_of(const edit_dialect& dialect);

}  // namespace headrace
