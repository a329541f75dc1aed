// What a missing cell is, for arrays, tables and cells: the one list of usual texts, texts of
// missing=, and numbers among these in every spelling. Next: converter.hpp says what they become.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "../core/array_view.hpp"

namespace headrace {

// Nothing, or NA, N/A, #N/A, #NA, <NA>, null, None in any case.
bool is_missing(std::string_view cell) noexcept;

// What programs write for a value that they do not have: Fortran's stars, errors of spreadsheets,
// None, nil, dashes. Never a name; missing only if missing= says so.
bool is_lost_value(std::string_view cell) noexcept;

// missing="nan,-999,#N/A": what a missing value becomes, and texts that stand for one beside the
// usual ones.
struct missing_option {
  enum class outcome { error, nan, value } becomes = outcome::error;
  std::string value;               // text of the value
  std::vector<std::string> texts;  // without blanks around them
};

// Commas divide texts, semicolons if a comma is the decimal sign; not inside of parentheses.
std::vector<std::string> split_missing(const std::string& option, char decimal);
missing_option parse_missing(const std::string& option, char decimal);

// The texts of one file or call.
class missing_texts {
 public:
  missing_texts() = default;
  // with_numbers: -999 stands for -999.0, too.
  missing_texts(std::vector<std::string> own, char decimal, bool with_numbers = true);

  // Blanks around a cell do not count.
  bool is_text(std::string_view cell) const noexcept;
  // The same of a cell that is no value of the type that is read: -999.0 among integers, 1.0e40 in
  // real32.
  bool stands_for_none(std::string_view cell) const;
  const std::vector<std::string>& own() const noexcept { return own_; }

 private:
  std::vector<std::string> own_;
  char decimal_ = '.';
  std::vector<std::string> numbers_;  // each value has one spelling here
};

// "-9.99e2" as "-999"; nothing if the text is no integer of at most 20 digits.
std::string integer_text(std::string_view text, char decimal);

// Values that stand for none: -999 in every spelling, -999.0 and -9.99E2, too.
class missing_values {
 public:
  missing_values() = default;
  missing_values(type_class type, std::size_t elem_len) : type_(type), elem_len_(elem_len) {}

  // A value of the type; logicals and characters have none.
  void add(const char* value);
  bool empty() const noexcept { return values_.empty(); }
  // The first of n values from a place on that is one of them; n if none is.
  std::size_t find(const char* values, std::size_t from, std::size_t n) const noexcept;

 private:
  type_class type_ = type_class::real;
  std::size_t elem_len_ = 0;
  std::string values_;  // their bytes
};

}  // namespace headrace
