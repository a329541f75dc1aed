#include "json_reader.hpp"

#include <cstdlib>
#include <stdexcept>

namespace headrace::bench {
namespace {

constexpr int deepest = 8;

void append_utf8(std::string& text, unsigned code) {
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xC0 | (code >> 6));
    text += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    text += static_cast<char>(0xE0 | (code >> 12));
    text += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    text += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    text += static_cast<char>(0xF0 | (code >> 18));
    text += static_cast<char>(0x80 | ((code >> 12) & 0x3F));
    text += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    text += static_cast<char>(0x80 | (code & 0x3F));
  }
}

class json_reader {
 public:
  explicit json_reader(const std::string& line) : line_(line) {}

  json_value whole() {
    json_value found = value(0);
    if (next() != '\0') fail("the end of the line");
    return found;
  }

 private:
  [[noreturn]] void fail(const std::string& expected) const {
    const std::string found = at_ < line_.size() ? "'" + line_.substr(at_, 1) + "'" : "its end";
    throw std::invalid_argument("column " + std::to_string(at_ + 1) + " of the request: expected " +
                                expected + ", found " + found);
  }

  char here() const { return at_ < line_.size() ? line_[at_] : '\0'; }

  // The next character that is no blank; it is not taken.
  char next() {
    while (here() == ' ' || here() == '\t' || here() == '\r') ++at_;
    return here();
  }

  bool take(char wanted) {
    if (next() != wanted) return false;
    ++at_;
    return true;
  }

  bool take_word(const char* word) {
    const std::string wanted = word;
    if (line_.compare(at_, wanted.size(), wanted) != 0) return false;
    at_ += wanted.size();
    return true;
  }

  json_value value(int depth) {
    if (depth > deepest) fail("fewer objects inside one another");
    json_value found;
    const char first = next();
    if (first == '{') return object(depth);
    if (first == '[') return integers();
    if (first == '"') {
      found.kind = json_value::kinds::text;
      found.text = text();
    } else if (take_word("true") || take_word("false")) {
      found.kind = json_value::kinds::boolean;
      found.text = first == 't' ? "true" : "false";
    } else if (!take_word("null")) {
      found.kind = json_value::kinds::number;
      found.text = number();
    }
    return found;
  }

  json_value object(int depth) {
    json_value found;
    found.kind = json_value::kinds::object;
    take('{');
    if (take('}')) return found;
    do {
      if (next() != '"') fail("the name of a member in quotation marks");
      const std::string name = text();
      if (!take(':')) fail("':' after the name of a member");
      if (!found.members.emplace(name, value(depth + 1)).second) fail("each member once");
    } while (take(','));
    if (!take('}')) fail("',' or '}'");
    return found;
  }

  json_value integers() {
    json_value found;
    found.kind = json_value::kinds::integers;
    take('[');
    if (take(']')) return found;
    do {
      next();
      const std::string digits = number();
      if (digits.find_first_of(".eE") != std::string::npos) fail("integers in an array");
      found.integers.push_back(std::strtoll(digits.c_str(), nullptr, 10));
    } while (take(','));
    if (!take(']')) fail("',' or ']'");
    return found;
  }

  std::string number() {
    const std::size_t begin = at_;
    char* end = nullptr;
    if (here() == '-' || (here() >= '0' && here() <= '9')) {
      std::strtod(line_.c_str() + at_, &end);
      at_ = static_cast<std::size_t>(end - line_.c_str());
    }
    const std::string found = line_.substr(begin, at_ - begin);
    if (found.empty() || found.find_first_not_of("+-.0123456789eE") != std::string::npos) {
      at_ = begin;
      fail("a value");
    }
    return found;
  }

  std::string text() {
    std::string found;
    ++at_;
    while (here() != '"') {
      const char c = here();
      if (static_cast<unsigned char>(c) < 0x20) fail("'\"' at the end of a text");
      ++at_;
      if (c == '\\') {
        escaped(found);
      } else {
        found += c;
      }
    }
    ++at_;
    return found;
  }

  void escaped(std::string& found) {
    static const std::string names = "\"\\/bfnrt";
    static const std::string meanings = "\"\\/\b\f\n\r\t";
    const std::size_t which = names.find(here());
    if (here() != '\0' && which != std::string::npos) {
      ++at_;
      found += meanings[which];
    } else if (here() == 'u') {
      unsigned code = hexadecimal();
      if (code >= 0xD800 && code < 0xDC00 && here() == '\\') {
        ++at_;
        code = 0x10000 + ((code - 0xD800) << 10) + ((hexadecimal() - 0xDC00) & 0x3FFU);
      }
      append_utf8(found, code);
    } else {
      fail("an escape of JSON after '\\'");
    }
  }

  // "uXXXX"
  unsigned hexadecimal() {
    if (here() != 'u') fail("'u' and four hexadecimal digits");
    ++at_;
    const std::string digits = line_.substr(at_, 4);
    if (digits.size() != 4 ||
        digits.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos) {
      fail("four hexadecimal digits");
    }
    at_ += 4;
    return static_cast<unsigned>(std::strtoul(digits.c_str(), nullptr, 16));
  }

  const std::string& line_;
  std::size_t at_ = 0;
};

}  // namespace

const char* name_of(json_value::kinds kind) noexcept {
  switch (kind) {
    case json_value::kinds::nothing:
      return "null";
    case json_value::kinds::text:
      return "a text";
    case json_value::kinds::number:
      return "a number";
    case json_value::kinds::boolean:
      return "true or false";
    case json_value::kinds::integers:
      return "an array of integers";
    case json_value::kinds::object:
      break;
  }
  return "an object";
}

json_value read_json(const std::string& line) {
  return json_reader(line).whole();
}

}  // namespace headrace::bench
