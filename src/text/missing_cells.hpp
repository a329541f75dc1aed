// What cells hold instead of a value, and what such cells become: missing= of arrays, tables and
// texts. The one list of usual texts. Next: text_rows.hpp, cells_parse.hpp.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "../core/array_view.hpp"

namespace headrace {

constexpr std::string_view usual_missing[] = {"na", "n/a", "#n/a", "#na", "<na>", "null", "none"};

// Nothing, or one of these in any case.
bool is_missing(std::string_view cell) noexcept;

// missing="nan,-999,#N/A": what a missing value becomes, and texts that stand for one beside the
// usual ones.
struct missing_words {
  enum class outcome { error, nan, value } becomes = outcome::error;
  std::string value;               // text of the value
  std::vector<std::string> texts;  // without blanks around them
};

// Commas divide them, semicolons where a comma is the decimal sign; not inside of parentheses.
std::vector<std::string> split_missing(const std::string& option, char decimal);
missing_words parse_missing(const std::string& option, char decimal);

inline bool is_one_of(const std::vector<std::string>& texts, std::string_view cell) noexcept {
  for (const std::string& text : texts)
    if (cell == text) return true;
  return false;
}

// Values that stand for none: -999 in every spelling, -999.0 and -9.99E2, too.
class missing_values {
 public:
  missing_values() = default;
  missing_values(type_class type, std::size_t elem_len) : type_(type), elem_len_(elem_len) {}
  // A value of the type; logicals and characters have none.
  void add(const char* value);
  bool empty() const noexcept { return values_.empty(); }
  // The first of n values from a place on that is one of them; n where none is.
  std::size_t find(const char* values, std::size_t from, std::size_t n) const noexcept;

 private:
  type_class type_ = type_class::real;
  std::size_t elem_len_ = 0;
  std::string values_;  // their bytes
};

// Bytes of NaN of a real or complex type; nothing for other types.
std::string nan_of(type_class type, std::size_t elem_len);

}  // namespace headrace
