// One value of a list-directed record.
#include "list_read_values.hpp"

#include <cstring>

#include "../../core/blanks.hpp"
#include "../../core/name_text.hpp"
#include "../kernels/parse_one.hpp"
#include "edit_read_elements.hpp"
#include "edit_read_fields.hpp"

namespace headrace {
namespace {

// gfortran takes no more.
constexpr std::size_t most_repeats = 200000000;

template <class Real>
field_state convert_real(std::string_view token, char decimal, char* element) noexcept {
  Real value = 0;
  const char* const end = token.data() + token.size();
  const field_state state = parse_real(token.data(), end, {decimal, true}, value);
  std::memcpy(element, &value, sizeof value);
  // As gfortran: a number beyond the largest is infinity.
  return state == field_state::too_large ? field_state::good : state;
}

field_state convert_real_of(std::size_t bytes, std::string_view token, char decimal,
                            char* element) noexcept {
  return bytes == sizeof(float) ? convert_real<float>(token, decimal, element)
                                : convert_real<double>(token, decimal, element);
}

field_state convert_logical(std::string_view token, std::string& element) noexcept {
  bool value = false;
  const field_state state = parse_logical(token.data(), token.data() + token.size(), value);
  store_bits(value, element.size(), element.data());
  return state;
}

}  // namespace

list_value_reader::list_value_reader(text_cursor& cursor, const array_view& array, char decimal,
                                     const edit_dialect& dialect)
    : cursor_(cursor),
      array_(array),
      decimal_(decimal),
      strict_decimal_(decimal == ',' && dialect.has(edit_feature::strict_decimal)) {
  for (const char c : {' ', '\t', '\r', '\n', '/'}) separators_[static_cast<std::size_t>(c)] = true;
  separators_[','] = decimal != ',';
  separators_[';'] =
      array.type != type_class::character || !dialect.has(edit_feature::semicolon_in_text);
}

// From gfortran 13 on a point is no decimal symbol beside a decimal comma: not in the digits that
// might be a repeat count. Behind a sign and behind such a count it still is one.
bool list_value_reader::refuses_point(std::string_view number, bool repeated) const noexcept {
  if (!strict_decimal_ || repeated || number.empty()) return false;
  const char first = number.front();
  return (is_digit(first) || first == '.' || first == ',') &&
         number.find('.') != std::string_view::npos;
}

// Of a complex number: only as the first character.
bool list_value_reader::refuses_point_in_part(std::string_view number) const noexcept {
  if (!strict_decimal_ || number.empty()) return false;
  if (number.front() == '+' || number.front() == '-') number.remove_prefix(1);
  return !number.empty() && (is_digit(number.front()) || number.front() == ',') &&
         number.find('.') != std::string_view::npos;
}

// Appends bytes up to the next separator to the text of the value.
void list_value_reader::take_token() {
  while (cursor_.peek() != text_cursor::end) {
    const std::string_view next = cursor_.in_memory();
    std::size_t n = 0;
    while (n < next.size() && !separators_[static_cast<unsigned char>(next[n])]) ++n;
    text_.append(next.data(), n);
    cursor_.skip(n);
    if (n < next.size()) return;
  }
}

// Appends the next byte to the text of the value.
void list_value_reader::take() {
  text_ += static_cast<char>(cursor_.peek());
  cursor_.advance();
}

status list_value_reader::read(list_value& value) {
  text_.clear();
  line_ = cursor_.line();
  column_ = cursor_.column();
  value.repeat = 1;
  value.is_null = false;
  value.bytes.assign(array_.elem_len, ' ');
  switch (array_.type) {
    case type_class::complex:
      return read_complex(value);
    case type_class::character:
      return read_character(value);
    default:
      return read_token(value);
  }
}

// Integers, reals and logicals: all up to the next separator, with or without "count*".
status list_value_reader::read_token(list_value& value) {
  take_token();
  std::string_view token = text_;
  std::size_t digits = 0;
  while (digits < token.size() && is_digit(token[digits])) ++digits;
  const bool repeated = digits > 0 && digits < token.size() && token[digits] == '*';
  if (repeated) {
    if (status repeat = set_repeat(token.substr(0, digits), value); !repeat.ok()) return repeat;
    token.remove_prefix(digits + 1);
    value.is_null = token.empty();
    if (value.is_null) return {};
  }
  return convert(token, repeated, value);
}

status list_value_reader::convert(std::string_view token, bool repeated, list_value& value) const {
  field_state state = field_state::good;
  std::string& bytes = value.bytes;
  if (array_.type == type_class::real && refuses_point(token, repeated))
    state = field_state::not_a_number;
  else if (array_.type == type_class::real)
    state = convert_real_of(bytes.size(), token, decimal_, bytes.data());
  else if (array_.type == type_class::integer)
    state = parse_integer(token.data(), token.data() + token.size(), bytes.size(), bytes.data());
  else
    state = convert_logical(token, bytes);
  if (state == field_state::good) return {};
  const std::string found = excerpt(text_);
  if (state == field_state::too_large)
    return status::failure(stat_code::number_out_of_range, "a number is too large for its type")
        .expected("an integer of " + std::to_string(8 * bytes.size()) + " bits", found)
        .at_line(line_, column_);
  return status::failure(stat_code::bad_number, "cannot read a value")
      .expected(value_description(array_.type), found)
      .at_line(line_, column_);
}

status list_value_reader::set_repeat(std::string_view digits, list_value& value) {
  std::size_t repeat = 0;
  for (const char c : digits)
    if (repeat <= most_repeats) repeat = repeat * 10 + static_cast<std::size_t>(c - '0');
  value.repeat = repeat;
  if (repeat == 0) return fail(stat_code::bad_number, "a repeat count is zero", "1 or more");
  if (repeat > most_repeats)
    return fail(stat_code::bad_number, "a repeat count is too large", "at most 200000000");
  return {};
}

// The message shows the value to its end.
status list_value_reader::fail(stat_code code, const char* what, const char* expected) {
  while (!is_separator(cursor_.peek()) && text_.size() < 80) take();
  return status::failure(code, what).expected(expected, excerpt(text_)).at_line(line_, column_);
}

void list_value_reader::skip_blank_lines() {
  for (int c = cursor_.peek(); c == ' ' || c == '\t' || c == '\r' || c == '\n'; c = cursor_.peek())
    take();
}

// The real or imaginary part: all up to a separator or the parenthesis that closes the number.
bool list_value_reader::read_part(char* part) {
  skip_blank_lines();
  token_.clear();
  int depth = 0;  // within nan(...)
  for (int c = cursor_.peek(); !is_separator(c); c = cursor_.peek()) {
    if (c == ')' && depth == 0) break;
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    token_ += static_cast<char>(c);
    take();
  }
  field_state state = convert_real_of(array_.elem_len / 2, token_, decimal_, part);
  if (refuses_point_in_part(token_)) state = field_state::not_a_number;
  bad_part_ = state == field_state::not_a_number;
  if (state != field_state::good) return false;
  skip_blank_lines();
  return true;
}

status list_value_reader::bad_complex() {
  const bool cut = text_.find('(') != std::string::npos && !bad_part_;
  if (cut && cursor_.peek() == text_cursor::end)
    return status::failure(stat_code::end_of_file, "the text ends within a complex number")
        .at_line(line_, column_);
  return fail(stat_code::bad_number, "cannot read a value", value_description(type_class::complex));
}

// Goes over a character of a complex number; false when another one stands there.
bool list_value_reader::take_if(char expected) {
  if (cursor_.peek() != expected) return false;
  take();
  return true;
}

// (re,im), over lines; with a decimal comma (re;im).
status list_value_reader::read_complex(list_value& value) {
  bad_part_ = false;
  while (is_digit(static_cast<char>(cursor_.peek()))) take();
  if (!text_.empty()) {
    if (cursor_.peek() != '*') return bad_complex();
    if (status repeat = set_repeat(text_, value); !repeat.ok()) return repeat;
    take();
    value.is_null = is_separator(cursor_.peek());
    if (value.is_null) return {};
  }
  char* const parts = value.bytes.data();
  const bool good = take_if('(') && read_part(parts) && take_if(decimal_ == ',' ? ';' : ',') &&
                    read_part(parts + array_.elem_len / 2) && take_if(')') &&
                    is_separator(cursor_.peek());
  return good ? status() : bad_complex();
}

status list_value_reader::read_character(list_value& value) {
  while (is_digit(static_cast<char>(cursor_.peek()))) take();
  if (!text_.empty() && cursor_.peek() == '*') {
    if (status repeat = set_repeat(text_, value); !repeat.ok()) return repeat;
    cursor_.advance();
    text_.clear();
    value.is_null = is_separator(cursor_.peek());
    if (value.is_null) return {};
  }
  const int c = cursor_.peek();
  if (text_.empty() && (c == '"' || c == '\'')) return read_quoted(c, value);
  return read_plain_characters(value);
}

// Without quotes: up to the next separator. Bytes beyond the element are passed over.
status list_value_reader::read_plain_characters(list_value& value) {
  std::size_t length = text_.size() < value.bytes.size() ? text_.size() : value.bytes.size();
  std::memcpy(value.bytes.data(), text_.data(), length);
  for (int c = cursor_.peek(); !is_separator(c); c = cursor_.peek()) {
    if (length < value.bytes.size()) value.bytes[length++] = static_cast<char>(c);
    cursor_.advance();
  }
  return {};
}

// Quoted: line ends do not count, a doubled quote is one.
status list_value_reader::read_quoted(int quote, list_value& value) {
  std::size_t length = 0;
  take();
  for (int c = cursor_.peek();; c = cursor_.peek()) {
    if (c == text_cursor::end)
      return status::failure(stat_code::end_of_file, "the text ends within a quoted string")
          .at_line(line_, column_)
          .advise("close it with " + std::string(1, static_cast<char>(quote)));
    if (text_.size() < 80)
      take();
    else
      cursor_.advance();
    if (c == quote) {
      if (cursor_.peek() != quote) break;
      cursor_.advance();
    }
    if (c != '\n' && c != '\r' && length < value.bytes.size())
      value.bytes[length++] = static_cast<char>(c);
  }
  if (is_separator(cursor_.peek()) || cursor_.peek() == ';') return {};
  return fail(stat_code::bad_number, "a quoted string goes on behind its end",
              "a separator behind the closing quote");
}

}  // namespace headrace
