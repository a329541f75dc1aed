// Numbers among the texts that stand for a missing value: -999 does in every spelling. Next:
// missing_cells.hpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headrace {

// The texts as numbers of any size, whatever type is read. Cells that the type refuses are compared
// with them: -999.0 among integers, 1.0e40 in real32.
class missing_numbers {
 public:
  // A text that is no number is left out.
  void add(std::string_view text, char decimal);
  bool holds(std::string_view cell) const;

 private:
  char decimal_ = '.';
  std::vector<std::string> numbers_;  // each value has one spelling here
};

// "-9.99e2" as "-999"; nothing if the text is no integer of at most 20 digits.
std::string integer_text(std::string_view text, char decimal);

}  // namespace headrace
