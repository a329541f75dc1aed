// Formats made at random from the grammar of format specifications.
#pragma once

#include <string>

#include "core/array_view.hpp"
#include "sample_values.hpp"

namespace headrace::test {

class format_maker {
 public:
  // needs_commas: one that is missing makes the whole format invalid, so few are.
  format_maker(generator& random, bool needs_commas)
      : random_(random), comma_missing_(needs_commas ? 100 : 6) {}

  // Most of its data edit descriptors take values of that type.
  std::string make(type_class type);

 private:
  std::string list(int depth);
  std::string item(int depth);
  std::string data();
  std::string real_data();
  std::string control();
  std::string literal();
  std::string count();
  std::string blanks();
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  std::string number(int n) { return std::to_string(below(n)); }

  generator& random_;
  int comma_missing_ = 6;  // one in so many
  type_class type_ = type_class::real;
  bool has_moved_ = false;  // T or X without text after it: gfortran then miscounts T and TL
};

}  // namespace headrace::test
