// A Fortran format specification, taken apart: what gfortran 12 accepts at run time, and no more.
// Next: edit_format_tokens.hpp tells names, numbers and literals apart.
#include "edit_format.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "edit_format_tokens.hpp"

namespace headrace {
namespace {

// The names of edit descriptors.

struct named_kind {
  std::string_view name;
  edit_kind kind;
};

constexpr std::array<named_kind, 12> data_descriptors{{
    {"I", edit_kind::integer},
    {"B", edit_kind::binary},
    {"O", edit_kind::octal},
    {"Z", edit_kind::hexadecimal},
    {"F", edit_kind::fixed},
    {"E", edit_kind::exponent},
    {"D", edit_kind::exponent_d},
    {"ES", edit_kind::scientific},
    {"EN", edit_kind::engineering},
    {"G", edit_kind::general},
    {"L", edit_kind::logical},
    {"A", edit_kind::character},
}};

struct named_mode {
  std::string_view name;
  edit_kind kind;
  int value;
};

constexpr std::array<named_mode, 13> modes{{
    {"S", edit_kind::sign, 's'},
    {"SP", edit_kind::sign, '+'},
    {"SS", edit_kind::sign, '-'},
    {"RU", edit_kind::rounding, 'u'},
    {"RD", edit_kind::rounding, 'd'},
    {"RZ", edit_kind::rounding, 'z'},
    {"RN", edit_kind::rounding, 'n'},
    {"RC", edit_kind::rounding, 'c'},
    {"RP", edit_kind::rounding, 'p'},
    {"BN", edit_kind::blank, 'n'},
    {"BZ", edit_kind::blank, 'z'},
    {"DC", edit_kind::decimal, ','},
    {"DP", edit_kind::decimal, '.'},
}};

constexpr std::array<named_kind, 3> tabs{{
    {"T", edit_kind::tab},
    {"TL", edit_kind::tab_left},
    {"TR", edit_kind::tab_right},
}};

template <class Table>
auto entry_of(const Table& table, const format_token& token) {
  const auto end = token.kind == token_kind::name ? table.end() : table.begin();
  const auto found =
      std::find_if(table.begin(), end, [&](const auto& entry) { return entry.name == token.text; });
  return found == end ? nullptr : &*found;
}

std::string text_of(const format_token& token) {
  switch (token.kind) {
    case token_kind::end:
      return "the end of the format";
    case token_kind::number:
    case token_kind::signed_number:
      return token.too_large ? "a number beyond 2147483647" : std::to_string(token.value);
    case token_kind::literal:
      return "a literal";
    case token_kind::open_literal:
      return "a literal without its closing quote";
    default:
      return "\"" + token.text + "\"";
  }
}

class format_parser {
 public:
  format_parser(std::string_view text, edit_format& format)
      : lexer_(text), text_(text), format_(format) {}

  status parse();

 private:
  // An open parenthesis. gfortran asks for a data edit descriptor in *( ) and keeps account of
  // them in its own way, which decides what it accepts: see close().
  struct open_group {
    std::size_t index = 0;
    bool data_below = false;  // in a group within this one
  };

  status parse_item();
  status parse_after_count(const format_token& count);
  status parse_scale(const format_token& factor);
  status parse_data(edit_kind kind, int repeat, std::size_t column);
  status parse_integer_widths(edit_item& item);
  status parse_real_widths(edit_item& item);
  status parse_real_digits(edit_item& item);
  status parse_character_width(edit_item& item);
  status parse_logical_width(edit_item& item);
  status refuse_without_comma() const;
  status parse_tab(edit_kind kind);
  status parse_hollerith(const format_token& count, std::size_t length);
  status parse_number(int lowest, int& number, const char* what);
  void open(int repeat, std::size_t column);
  status close();
  status finish_item(bool comma_optional = false);
  void find_reversion();

  edit_item& append(edit_kind kind, std::size_t column);
  void advance() { token_ = lexer_.next(); }
  status wrong(std::string expected) const;

  format_lexer lexer_;
  std::string_view text_;
  edit_format& format_;
  format_token token_;  // looked at, not yet taken
  std::vector<open_group> open_;
  std::size_t data_end_ = 0;  // behind the last data edit descriptor so far
  bool done_ = false;
};

status format_parser::wrong(std::string expected) const {
  return status::failure(stat_code::format_invalid, "column " + std::to_string(token_.column) +
                                                        " of the format " + std::string(text_))
      .expected(std::move(expected), text_of(token_));
}

edit_item& format_parser::append(edit_kind kind, std::size_t column) {
  edit_item& item = format_.items.emplace_back();
  item.kind = kind;
  item.column = column;
  return item;
}

status format_parser::parse() {
  advance();
  if (!token_.is("(")) return wrong("a left parenthesis at the beginning");
  advance();
  open_.emplace_back();
  status result;
  while (!done_ && result.ok()) result = parse_item();
  if (result.ok()) find_reversion();
  return result;
}

// Behind a descriptor. Before gfortran 15 a comma may stand there but need not. Text after the last
// parenthesis does not count, as the Fortran standard says.
status format_parser::finish_item(bool comma_optional) {
  if (token_.is(",")) {
    advance();
    return {};
  }
  const bool separated = token_.is(")") || token_.is("/") || token_.is(":");
  if (comma_optional || separated || !format_.dialect.has(edit_feature::commas)) return {};
  return wrong("a comma between edit descriptors");
}

status format_parser::parse_item() {
  const format_token token = token_;
  if (token.too_large) return wrong("a number up to 2147483647");
  if (token.is(")")) return close();
  if (token.is("*")) {
    advance();
    if (!token_.is("(")) return wrong("a left parenthesis after *");
    open(unlimited_repeat, token.column);
    return {};
  }
  if (token.is("(")) {
    open(1, token.column);
    return {};
  }
  if (token.is_positive()) {
    advance();
    return parse_after_count(token);
  }
  if (token.kind == token_kind::number || token.kind == token_kind::signed_number) {
    advance();
    return token_.is("P") ? parse_scale(token) : wrong("P after the scale factor");
  }
  if (const named_kind* const data = entry_of(data_descriptors, token)) {
    advance();
    return parse_data(data->kind, 1, token.column);
  }
  if (const named_kind* const tab = entry_of(tabs, token)) return parse_tab(tab->kind);
  if (token.is("H")) return parse_hollerith(token, 1);
  if (token.is("P")) return wrong("a scale factor before P");
  if (token.is("DT")) return wrong("an edit descriptor for numbers, logicals or characters");
  if (const named_mode* const mode = entry_of(modes, token)) {
    append(mode->kind, token.column).value = mode->value;
  } else if (token.is("X")) {
    append(edit_kind::skip, token.column).value = 1;
  } else if (token.is("/")) {
    append(edit_kind::slash, token.column);
  } else if (token.is(":")) {
    append(edit_kind::colon, token.column);
  } else if (token.kind == token_kind::literal) {
    append(edit_kind::literal, token.column).literal = token.text;
  } else {
    return wrong("an edit descriptor");
  }
  advance();
  return finish_item(token.is("/") || token.is(":") || token.kind == token_kind::literal);
}

// token_ stands behind a positive number.
status format_parser::parse_after_count(const format_token& count) {
  if (token_.is("(")) {
    open(count.value, count.column);
    return {};
  }
  if (token_.is("P")) return parse_scale(count);
  if (token_.is("H")) return parse_hollerith(count, static_cast<std::size_t>(count.value));
  if (const named_kind* const data = entry_of(data_descriptors, token_)) {
    advance();
    return parse_data(data->kind, count.value, count.column);
  }
  const bool is_slash = token_.is("/");
  if (token_.is("X"))
    append(edit_kind::skip, count.column).value = count.value;
  else if (is_slash)
    append(edit_kind::slash, count.column).repeat = count.value;
  else
    return wrong("an edit descriptor that takes a repeat count");
  advance();
  return finish_item(is_slash);
}

status format_parser::parse_scale(const format_token& factor) {
  if (factor.too_large) return wrong("a scale factor that fits an integer");
  append(edit_kind::scale, factor.column).value = factor.value;
  advance();
  const named_kind* const data = entry_of(data_descriptors, token_);
  if (data != nullptr && is_real_kind(data->kind)) {
    const std::size_t column = token_.column;
    advance();
    return parse_data(data->kind, 1, column);
  }
  if (!token_.is(",") && !token_.is(")") && !token_.is("/") && !token_.is_positive())
    return wrong("a comma or a descriptor of a real after the scale factor");
  return finish_item(true);
}

status format_parser::parse_data(edit_kind kind, int repeat, std::size_t column) {
  edit_item item;
  item.kind = kind;
  item.repeat = repeat;
  item.column = column;
  status result;
  if (kind == edit_kind::character)
    result = parse_character_width(item);
  else if (kind == edit_kind::logical)
    result = parse_logical_width(item);
  else if (is_real_kind(kind))
    result = parse_real_widths(item);
  else
    result = parse_integer_widths(item);
  if (!result.ok()) return result;
  format_.items.push_back(std::move(item));
  format_.has_data = true;
  data_end_ = format_.items.size();
  if (open_.size() > 1) open_[open_.size() - 2].data_below = true;
  return finish_item();
}

// Takes a number from lowest on.
status format_parser::parse_number(int lowest, int& number, const char* what) {
  if (token_.kind != token_kind::number || token_.too_large || token_.value < lowest)
    return wrong(what);
  number = token_.value;
  advance();
  return {};
}

status format_parser::parse_integer_widths(edit_item& item) {
  status result = parse_number(0, item.width, "a width");
  if (!result.ok() || !token_.is(".")) return result;
  advance();
  const format_token minimum = token_;
  result = parse_number(0, item.digits, "the minimum of digits");
  if (result.ok() && item.width > 0 && item.digits > item.width) {
    token_ = minimum;
    return wrong("at most as many digits as the field is wide");
  }
  return result;
}

status format_parser::parse_real_widths(edit_item& item) {
  status result = parse_number(0, item.width, "a width");
  if (!result.ok()) return result;
  if (token_.is(".")) {
    advance();
    return parse_real_digits(item);
  }
  return item.width == 0 ? result : wrong("a point and the number of digits");
}

// token_ stands behind the point.
status format_parser::parse_real_digits(edit_item& item) {
  status result = parse_number(0, item.digits, "the number of digits");
  const bool takes_exponent = item.kind == edit_kind::fixed
                                  ? item.width == 0  // gfortran takes and ignores F0.dEe
                                  : item.kind != edit_kind::exponent_d;
  if (!result.ok() || !takes_exponent || !token_.is("E")) return result;
  advance();
  return parse_number(0, item.exponent, "the digits of the exponent");
}

// gfortran 12 takes a literal or a signed scale factor behind A or L without a comma, but loses
// what it says.
status format_parser::refuse_without_comma() const {
  const bool lost = token_.kind == token_kind::literal || token_.kind == token_kind::signed_number;
  return lost ? wrong("a comma") : status();
}

status format_parser::parse_character_width(edit_item& item) {
  if (token_.kind != token_kind::number) return refuse_without_comma();
  return parse_number(1, item.width, "a positive width");
}

// gfortran takes L and L0 for L1.
status format_parser::parse_logical_width(edit_item& item) {
  item.width = 1;
  if (token_.kind != token_kind::number) return refuse_without_comma();
  const status result = parse_number(0, item.width, "a width");
  item.width = std::max(item.width, 1);
  return result;
}

status format_parser::parse_tab(edit_kind kind) {
  const std::size_t column = token_.column;
  advance();
  int value = 0;
  const status result = parse_number(1, value, "a positive number");
  if (!result.ok()) return result;
  append(kind, column).value = value;
  return finish_item();
}

// The lexer stands behind H: token_ was it.
status format_parser::parse_hollerith(const format_token& count, std::size_t length) {
  std::string characters;
  if (!lexer_.take_raw(length, characters))
    return wrong(std::to_string(length) + " characters after H");
  append(edit_kind::literal, count.column).literal = std::move(characters);
  advance();
  return finish_item();
}

void format_parser::open(int repeat, std::size_t column) {
  open_group group;
  group.index = format_.items.size();
  append(edit_kind::group_begin, column).repeat = repeat;
  open_.push_back(group);
  advance();
}

// When a group ends, gfortran 12 hands the flag of the group around it upwards, even if that clears
// the flag there: for gfortran *(i5,(1x)) has no data edit descriptor, and is refused.
status format_parser::close() {
  const std::size_t index = open_.back().index;
  open_.pop_back();
  if (open_.empty()) {
    done_ = true;
    return {};
  }
  const bool has_data = open_.back().data_below;
  if (open_.size() > 1) open_[open_.size() - 2].data_below = has_data;
  // What gfortran lets pass without any would write for ever.
  const bool would_end = data_end_ > index;
  if (format_.items[index].repeat == unlimited_repeat && (!has_data || !would_end))
    return wrong("a data edit descriptor in *( )");
  format_.items[index].partner = format_.items.size();
  append(edit_kind::group_end, token_.column).partner = index;
  advance();
  return finish_item();
}

void format_parser::find_reversion() {
  const std::vector<edit_item>& items = format_.items;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].kind != edit_kind::group_begin) continue;
    format_.reversion = i;
    i = items[i].partner;
  }
}

}  // namespace

bool takes_type(edit_kind kind, type_class type) noexcept {
  if (kind == edit_kind::integer) return type == type_class::integer;
  return type == type_class::real || kind == edit_kind::general || !is_real_kind(kind);
}

bool goes_back(const edit_format& format) noexcept {
  return std::any_of(format.items.begin(), format.items.end(), [](const edit_item& item) {
    return item.kind == edit_kind::tab || item.kind == edit_kind::tab_left;
  });
}

status parse_edit_format(std::string_view text, edit_format& format, char decimal,
                         const edit_dialect& dialect) {
  format = {};
  format.dialect = dialect;
  format.text = text;
  format.items.reserve(2 + static_cast<std::size_t>(std::count(text.begin(), text.end(), ',')));
  if (decimal == ',') {
    edit_item& mode = format.items.emplace_back();
    mode.kind = edit_kind::decimal;
    mode.value = decimal;
  }
  return format_parser(text, format).parse();
}

}  // namespace headrace
