// One value of a list-directed record. Next: ../kernels/parse_one.hpp for a single number.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "../../core/array_view.hpp"
#include "../../core/status.hpp"
#include "../kernels/parse_numbers.hpp"
#include "edit_dialect.hpp"
#include "edit_read_cursor.hpp"

namespace headrace {

// What was read: repeat times the same element, or repeat times nothing.
struct list_value {
  std::size_t repeat = 1;
  bool is_null = false;
  std::string bytes;  // of one element
};

// Reads values that begin at the cursor, which stands on no separator and not on the end.
class list_value_reader {
 public:
  list_value_reader(text_cursor& cursor, const array_view& array, char decimal,
                    const edit_dialect& dialect);

  // A failure says what was expected and found, and where.
  status read(list_value& value);

  // Characters that end a value: blank, tab, line end, comma, semicolon, slash, the end of the
  // text. With a decimal comma the comma is none; the semicolon is none in strings of gfortran 15.
  bool is_separator(int c) const noexcept {
    return c == text_cursor::end || separators_[static_cast<std::size_t>(c)];
  }

 private:
  status read_token(list_value& value);
  status read_complex(list_value& value);
  status read_character(list_value& value);
  status read_quoted(int quote, list_value& value);
  status read_plain_characters(list_value& value);
  status set_repeat(std::string_view digits, list_value& value);
  status convert(std::string_view token, bool repeated, list_value& value) const;
  bool refuses_point(std::string_view number, bool repeated) const noexcept;
  bool refuses_point_in_part(std::string_view number) const noexcept;
  bool read_part(char* part);
  bool take_if(char expected);
  status bad_complex();
  void skip_blank_lines();
  void take();
  void take_token();
  status fail(stat_code code, const char* what, const char* expected);

  text_cursor& cursor_;
  array_view array_;
  char decimal_;
  bool strict_decimal_;
  std::array<bool, 256> separators_{};
  std::string text_;       // the value so far, as it stands in the text
  std::string token_;      // a part of it
  bool bad_part_ = false;  // the last part of a complex number is no number
  std::uint64_t line_ = 0;
  std::uint64_t column_ = 0;
};

}  // namespace headrace
