#include "json.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>

#include "../../../src/core/name_text.hpp"

namespace headrace {
namespace {

constexpr int deepest = 64;
constexpr std::size_t most_shown = 20;  // bytes, in messages
constexpr std::size_t most_values = 500000;
constexpr std::size_t most_bytes = std::size_t{32} << 20;

void append_utf8(std::uint32_t code, std::string& text) {
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xC0U | code >> 6U);
    text += static_cast<char>(0x80U | (code & 0x3FU));
  } else if (code < 0x10000) {
    text += static_cast<char>(0xE0U | code >> 12U);
    text += static_cast<char>(0x80U | (code >> 6U & 0x3FU));
    text += static_cast<char>(0x80U | (code & 0x3FU));
  } else {
    text += static_cast<char>(0xF0U | code >> 18U);
    text += static_cast<char>(0x80U | (code >> 12U & 0x3FU));
    text += static_cast<char>(0x80U | (code >> 6U & 0x3FU));
    text += static_cast<char>(0x80U | (code & 0x3FU));
  }
}

class json_parser {
 public:
  explicit json_parser(std::string_view text) noexcept : text_(text) {}

  status parse(json_value& value) {
    if (text_.size() > most_bytes) return wrong("more than 32 MiB of JSON");
    if (!is_utf8(text_)) return wrong("the text is not UTF-8");
    if (status s = parse_value(value, 0); !s.ok()) return s;
    skip_blanks();
    return at_ == text_.size() ? status() : wrong("something follows the JSON value");
  }

 private:
  status wrong(const char* what) const {
    const std::string_view before = text_.substr(0, at_);
    const auto line = static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n'));
    const std::size_t newline = before.rfind('\n');
    const std::size_t column = newline == std::string_view::npos ? at_ : at_ - newline - 1;
    return status::failure(stat_code::header_damaged, what)
        .at_line(line + 1, column + 1)
        .advise("the store is damaged, or something else has this name: copy or write it again");
  }

  status lacks(const char* expected) const {
    return wrong("this is not JSON")
        .expected(expected, ended() ? "the end of the text" : shown(text_.substr(at_), most_shown));
  }

  bool ended() const noexcept { return at_ == text_.size(); }
  char next() const noexcept { return ended() ? '\0' : text_[at_]; }
  void skip_blanks() noexcept {
    while (!ended() && (next() == ' ' || next() == '\n' || next() == '\t' || next() == '\r')) ++at_;
  }
  bool take(char wanted) noexcept {
    skip_blanks();
    if (ended() || next() != wanted) return false;
    ++at_;
    return true;
  }
  bool take_word(std::string_view word) noexcept {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  status parse_value(json_value& value, int depth) {
    skip_blanks();
    if (depth > deepest) return wrong("JSON nested deeper than 64");
    if (++values_ > most_values) return wrong("more than 500,000 JSON values");
    switch (next()) {
      case '{':
        return parse_object(value, depth);
      case '[':
        return parse_list(value, depth);
      case '"':
        value.what = json_value::kind::text;
        return parse_text(value.text);
      default:
        return parse_word_or_number(value);
    }
  }

  status parse_object(json_value& value, int depth) {
    value.what = json_value::kind::object;
    ++at_;
    std::set<std::string> known;
    if (take('}')) return {};
    do {
      skip_blanks();
      if (next() != '"') return lacks("the name of a member in quotation marks");
      std::string name;
      if (status s = parse_text(name); !s.ok()) return s;
      if (!known.insert(name).second) return wrong("a member of that name came before");
      if (!take(':')) return lacks("a colon");
      value.names.push_back(std::move(name));
      value.items.emplace_back();
      if (status s = parse_value(value.items.back(), depth + 1); !s.ok()) return s;
    } while (take(','));
    return take('}') ? status() : lacks("a comma or a closing brace");
  }

  status parse_list(json_value& value, int depth) {
    value.what = json_value::kind::list;
    ++at_;
    if (take(']')) return {};
    do {
      value.items.emplace_back();
      if (status s = parse_value(value.items.back(), depth + 1); !s.ok()) return s;
    } while (take(','));
    return take(']') ? status() : lacks("a comma or a closing bracket");
  }

  status parse_word_or_number(json_value& value) {
    if (take_word("null")) return {};
    value.what = json_value::kind::boolean;
    value.truth = next() == 't';
    if (take_word("true") || take_word("false")) return {};
    value.what = json_value::kind::number;
    const std::size_t begin = at_;
    if (!take_word("NaN") && !take_word("Infinity") && !take_word("-Infinity") && !take_number())
      return lacks("a JSON value");
    value.text = std::string(text_.substr(begin, at_ - begin));
    return {};
  }

  bool take_digits() noexcept {
    const std::size_t begin = at_;
    while (next() >= '0' && next() <= '9') ++at_;
    return at_ != begin;
  }

  // JSON's grammar: no plus, no leading zeros, digits on both sides of a point.
  bool take_number() noexcept {
    if (next() == '-') ++at_;
    if (next() == '0')
      ++at_;
    else if (!take_digits())
      return false;
    if (next() == '.') {
      ++at_;
      if (!take_digits()) return false;
    }
    if (next() == 'e' || next() == 'E') {
      ++at_;
      if (next() == '+' || next() == '-') ++at_;
      if (!take_digits()) return false;
    }
    return true;
  }

  status parse_text(std::string& text) {
    for (++at_; !ended(); ++at_) {
      const char c = next();
      if (c == '"') {
        ++at_;
        return {};
      }
      if (static_cast<unsigned char>(c) < 0x20) return wrong("a control character in a text");
      if (c != '\\') {
        text += c;
      } else if (status s = parse_escape(text); !s.ok()) {
        return s;
      }
    }
    return wrong("a text without its closing quotation mark");
  }

  // Leaves at_ on the last character of the escape.
  status parse_escape(std::string& text) {
    constexpr std::string_view marks = "\"\\/bfnrt";
    constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
    ++at_;
    if (const std::size_t which = marks.find(next()); !ended() && which != marks.npos) {
      text += meanings[which];
      return {};
    }
    std::uint32_t code = 0;
    if (next() != 'u' || !take_hex(code)) return wrong("an escape that JSON does not know");
    if (code >= 0xD800 && code < 0xDC00) {  // the first half of a pair
      std::uint32_t second = 0;
      if (text_.substr(at_ + 1, 2) != "\\u") return wrong("half a surrogate pair");
      at_ += 2;
      if (!take_hex(second) || second < 0xDC00 || second > 0xDFFF)
        return wrong("half a surrogate pair");
      code = 0x10000U + ((code - 0xD800U) << 10U) + (second - 0xDC00U);
    } else if (code >= 0xDC00 && code <= 0xDFFF) {
      return wrong("half a surrogate pair");
    }
    append_utf8(code, text);
    return {};
  }

  // From the u on to the last of its four digits.
  bool take_hex(std::uint32_t& code) noexcept {
    const std::string_view digits = text_.substr(at_ + 1, 4);
    const auto end = digits.data() + digits.size();
    if (digits.size() != 4 || std::from_chars(digits.data(), end, code, 16).ptr != end)
      return false;
    at_ += 4;
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t values_ = 0;
};

template <class Real>
std::string text_of_real(Real number) {
  if (std::isnan(number)) return "\"NaN\"";
  if (std::isinf(number)) return number > 0 ? "\"Infinity\"" : "\"-Infinity\"";
  char digits[64];
  std::string text(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

// Bytes of the UTF-8 character at the beginning, 0 when there is none.
std::size_t character_length(std::string_view text) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
  const unsigned second = byte(1);
  // Too long forms, surrogates, and what lies above U+10FFFF.
  if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
      (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F))
    return 0;
  return length;
}

}  // namespace

const json_value* json_value::find(std::string_view name) const noexcept {
  if (what != kind::object) return nullptr;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return &items[i];
  return nullptr;
}

bool json_value::integer(std::int64_t& number) const noexcept {
  const char* const end = text.data() + text.size();
  if (what != kind::number) return false;
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stopped == end;
}

bool json_value::real(double& number) const noexcept {
  if (what != kind::number && what != kind::text) return false;
  if (text == "NaN") {
    number = std::numeric_limits<double>::quiet_NaN();
  } else if (text == "Infinity" || text == "-Infinity") {
    number = std::numeric_limits<double>::infinity() * (text[0] == '-' ? -1 : 1);
  } else {
    const char* const end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, number);
    return what == kind::number && error == std::errc() && stopped == end;
  }
  return true;
}

status parse_json(std::string_view text, json_value& value) {
  value = json_value();
  return json_parser(text).parse(value);
}

std::string json_text(std::string_view text) {
  constexpr char digits[] = "0123456789abcdef";
  std::string quoted = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (code < 0x20) {
      quoted += "\\u00";
      quoted += digits[code >> 4U];
      quoted += digits[code & 0xFU];
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

std::string json_real(double number) {
  return text_of_real(number);
}

std::string json_real(float number) {
  return text_of_real(number);
}

std::string json_list(const std::vector<std::string>& items) {
  std::string text = "[";
  for (const std::string& item : items) {
    if (text.size() > 1) text += ", ";
    text += item;
  }
  return text + "]";
}

std::string json_list(const std::vector<std::int64_t>& numbers) {
  std::vector<std::string> items;
  for (const std::int64_t number : numbers) items.push_back(std::to_string(number));
  return json_list(items);
}

bool is_utf8(std::string_view text) noexcept {
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace headrace
