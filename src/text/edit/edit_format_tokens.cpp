// A format as tokens. Next: edit_format.cpp puts them together.
#include "edit_format_tokens.hpp"

#include <limits>

#include "../../core/blanks.hpp"

namespace headrace {
namespace {

// Names of two letters, by their first: "TL" and "TR" begin like "T".
std::string_view second_letters(char first) noexcept {
  switch (first) {
    case 'B':
      return "NZ";
    case 'D':
      return "CPT";
    case 'E':
      return "NS";
    case 'R':
      return "CDNPUZ";
    case 'S':
      return "PS";
    case 'T':
      return "LR";
    default:
      return {};
  }
}

char upper(char c) noexcept {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

}  // namespace

char format_lexer::peek() noexcept {
  while (position_ < text_.size() && (text_[position_] == ' ' || text_[position_] == '\t'))
    ++position_;
  return position_ < text_.size() ? upper(text_[position_]) : '\0';
}

void format_lexer::read_number(format_token& token) {
  token.kind = token_kind::number;
  for (char c = peek(); is_digit(c); c = peek()) {
    ++position_;
    if (token.value > (std::numeric_limits<int>::max() - (c - '0')) / 10)
      token.too_large = true;
    else
      token.value = token.value * 10 + (c - '0');
  }
}

void format_lexer::read_literal(format_token& token, char quote) {
  token.kind = token_kind::literal;
  while (position_ < text_.size()) {
    const char c = text_[position_++];
    if (c == quote) {
      if (position_ == text_.size() || text_[position_] != quote) return;
      ++position_;
    }
    token.text.push_back(c);
  }
  token.kind = token_kind::open_literal;
}

void format_lexer::read_name(format_token& token, char first) {
  token.kind = token_kind::name;
  token.text = first;
  const std::string_view choices = second_letters(first);
  if (choices.empty()) return;  // blanks after H count
  const char second = peek();
  if (second != '\0' && choices.find(second) != std::string_view::npos) {
    token.text += second;
    ++position_;
  }
}

format_token format_lexer::next() {
  format_token token;
  const char c = peek();
  token.column = position_ + 1;
  if (position_ == text_.size()) return token;
  if (is_digit(c)) {
    read_number(token);
    return token;
  }
  ++position_;
  if ((c == '+' || c == '-') && is_digit(peek())) {
    read_number(token);
    token.kind = token_kind::signed_number;
    if (c == '-') token.value = -token.value;
  } else if (c == '\'' || c == '"') {
    read_literal(token, c);
  } else if (std::string_view("ABDEFGHILOPRSTXZ").find(c) != std::string_view::npos) {
    read_name(token, c);
  } else {
    const bool known = std::string_view("(),/:.*").find(c) != std::string_view::npos;
    token.kind = known ? token_kind::punctuation : token_kind::unknown;
    token.text = c;
  }
  return token;
}

bool format_lexer::take_raw(std::size_t n, std::string& characters) {
  if (text_.size() - position_ < n) return false;
  characters.assign(text_.substr(position_, n));
  position_ += n;
  return true;
}

}  // namespace headrace
