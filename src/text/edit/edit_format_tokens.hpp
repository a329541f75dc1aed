// A format as tokens: names of descriptors, numbers, punctuation, literals. Blanks count only in
// literals. Used by edit_format.cpp alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace headrace {

enum class token_kind : std::uint8_t {
  end,
  number,  // digits; a sign before them makes it a signed_number
  signed_number,
  name,          // I, ES, TL, RU ...: upper case in text
  literal,       // its characters in text, quotes resolved
  open_literal,  // a quote that no other closes
  punctuation,   // ( ) , / : . * in text
  unknown,       // any other character, in text
};

struct format_token {
  token_kind kind = token_kind::end;
  std::string text;        // as above; empty for numbers
  int value = 0;           // of a number
  bool too_large = false;  // the number does not fit an int
  std::size_t column = 0;  // of the first character, from 1

  bool is(std::string_view name_or_mark) const noexcept {
    return (kind == token_kind::name || kind == token_kind::punctuation) && text == name_or_mark;
  }
  bool is_positive() const noexcept { return kind == token_kind::number && value > 0; }
};

class format_lexer {
 public:
  explicit format_lexer(std::string_view text) noexcept : text_(text) {}

  format_token next();

  // The next n characters as they stand, blanks included: the text of a Hollerith constant.
  // False when the format is shorter.
  bool take_raw(std::size_t n, std::string& characters);

 private:
  char peek() noexcept;  // the next character that is not blank, upper case; 0 at the end
  void read_number(format_token& token);
  void read_literal(format_token& token, char quote);
  void read_name(format_token& token, char first);

  std::string_view text_;
  std::size_t position_ = 0;
};

}  // namespace headrace
