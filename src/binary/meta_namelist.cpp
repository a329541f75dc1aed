#include "meta_namelist.hpp"

#include <charconv>
#include <tuple>

#include "../core/lower_case.hpp"

namespace headrace {
namespace {

constexpr std::size_t most_values = 64;  // of one key

bool is_blank(char c) noexcept {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

bool is_letter(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

class namelist_parser {
 public:
  namelist_parser(std::string_view text, std::string_view wanted) : text_(text), wanted_(wanted) {}

  status parse(std::vector<namelist_group>& groups) {
    for (skip_blanks(); !at_end(); skip_blanks()) {
      if (peek() != '&') return expected("a group such as &array");
      next();
      namelist_group group;
      group.line = line_;
      if (!take_name(group.name)) return expected("the name of a group");
      if (group.name != wanted_) {
        if (status s = skip_group(); !s.ok()) return s;
        continue;
      }
      if (status s = parse_items(group); !s.ok()) return s;
      groups.push_back(std::move(group));
    }
    return {};
  }

 private:
  bool at_end() const noexcept { return position_ == text_.size(); }
  char peek() const noexcept { return at_end() ? '\0' : text_[position_]; }

  void next() noexcept {
    if (text_[position_++] == '\n') {
      ++line_;
      line_start_ = position_;
    }
  }

  // Blanks, ends of lines and comments.
  void skip_blanks() noexcept {
    while (!at_end() && (is_blank(peek()) || peek() == '!')) {
      if (peek() == '!')
        while (!at_end() && peek() != '\n') next();
      else
        next();
    }
  }

  status expected(const std::string& what) const {
    std::string found = "the end of the file";
    if (!at_end() && peek() >= ' ' && peek() != '\x7f')
      found = std::string("'") + peek() + "'";
    else if (!at_end())
      found = is_blank(peek())
                  ? "a blank or the end of the line"
                  : "a byte of value " + std::to_string(static_cast<unsigned char>(peek()));
    return status::failure(stat_code::header_damaged, "the description cannot be understood")
        .expected(what, found)
        .at_line(line_, position_ - line_start_ + 1)
        .advise("correct it as namelist input, or write the pair again");
  }

  bool take_name(std::string& name) {
    if (!is_letter(peek())) return false;
    for (; is_letter(peek()) || is_digit(peek()) || peek() == '_'; next())
      name += lower_case(peek());
    return true;
  }

  status skip_group() {
    std::string passed;
    for (skip_blanks(); !at_end() && peek() != '/'; skip_blanks()) {
      if (peek() != '\'' && peek() != '"')
        next();
      else if (status s = take_text(passed); !s.ok())
        return s;
    }
    if (at_end()) return expected("/ at the end of a group");
    next();
    return {};
  }

  status parse_items(namelist_group& group) {
    for (skip_separator(); peek() != '/'; skip_separator()) {
      namelist_item item;
      item.line = line_;
      item.column = position_ - line_start_ + 1;
      if (!take_name(item.key)) return expected("a key or / at the end of the group");
      skip_blanks();
      if (peek() != '=') return expected("= behind " + item.key);
      next();
      if (status s = parse_values(item); !s.ok()) return s;
      group.items.push_back(std::move(item));
    }
    next();
    return {};
  }

  // One comma at most.
  void skip_separator() noexcept {
    skip_blanks();
    if (peek() != ',') return;
    next();
    skip_blanks();
  }

  bool begins_value() const noexcept {
    return is_digit(peek()) || peek() == '-' || peek() == '+' || peek() == '\'' || peek() == '"';
  }

  status parse_values(namelist_item& item) {
    skip_blanks();
    if (!begins_value()) return expected("a number or a text between quotes");
    while (begins_value()) {
      if (status s = parse_value(item.values); !s.ok()) return s;
      if (item.values.size() > most_values)
        return expected("at most " + std::to_string(most_values) + " values");
      // A comma that no value follows stands before the next key.
      const auto [position, line, line_start] = std::tuple(position_, line_, line_start_);
      skip_separator();
      if (begins_value()) continue;
      position_ = position, line_ = line, line_start_ = line_start;
      break;
    }
    return {};
  }

  status parse_value(std::vector<namelist_value>& values) {
    namelist_value value;
    if (peek() == '\'' || peek() == '"') {
      value.is_text = true;
      if (status s = take_text(value.text); !s.ok()) return s;
    } else {
      if (status s = take_number(value.number); !s.ok()) return s;
      if (peek() == '*') {
        next();
        value.repeat = value.number;
        if (value.repeat < 1) return expected("a repeat count of 1 or more before the *");
        if (status s = take_number(value.number); !s.ok()) return s;
      }
    }
    if (!at_end() && !is_blank(peek()) && peek() != ',' && peek() != '/' && peek() != '!')
      return expected("a comma or blank behind the value");
    values.push_back(std::move(value));
    return {};
  }

  status take_number(std::int64_t& number) {
    if (peek() == '+') {
      next();
      if (!is_digit(peek())) return expected("a digit");
    }
    const char* const begin = text_.data() + position_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), number);
    if (error != std::errc()) return expected("an integer of 64 bits");
    position_ += static_cast<std::size_t>(end - begin);
    return {};
  }

  status take_text(std::string& text) {
    const char delimiter = peek();
    for (next(); !at_end(); next()) {
      const char c = peek();
      const bool doubled = position_ + 1 < text_.size() && text_[position_ + 1] == delimiter;
      if (c == delimiter && !doubled) break;
      if (c == delimiter) next();
      const bool control = static_cast<unsigned char>(c) < ' ' || c == '\x7f';
      if (control && !is_blank(c)) return expected("a printable character");
      if (c != '\n' && c != '\r') text += c;
    }
    if (at_end()) return expected(std::string("the quote ") + delimiter);
    next();
    text.erase(text.find_last_not_of(' ') + 1);
    return {};
  }

  std::string_view text_;
  std::string_view wanted_;
  std::size_t position_ = 0;
  std::uint64_t line_ = 1;
  std::size_t line_start_ = 0;
};

}  // namespace

status find_groups(std::string_view text, std::string_view name,
                   std::vector<namelist_group>& groups) {
  return namelist_parser(text, name).parse(groups);
}

std::string quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? "''" : std::string(1, c);
  return result + "'";
}

}  // namespace headrace
