#include "json_writer.hpp"

#include <cmath>
#include <cstdio>

namespace headrace::bench {

std::string json(double number) {
  if (!std::isfinite(number)) return "null";
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", number);
  return text;
}

std::string json(std::int64_t number) {
  return std::to_string(number);
}
std::string json(int number) {
  return std::to_string(number);
}
std::string json(bool value) {
  return value ? "true" : "false";
}
std::string json(const char* text) {
  return text == nullptr ? "null" : json(std::string(text));
}

std::string json(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(c));
      quoted += code;
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

std::string json_array(const std::vector<std::string>& elements) {
  std::string text = "[";
  for (const std::string& element : elements) {
    if (text.size() > 1) text += ",";
    text += element;
  }
  return text + "]";
}

json_object& json_object::add_json(const char* name, const std::string& what) {
  if (!members_.empty()) members_ += ",";
  members_ += json(name) + ":" + what;
  return *this;
}

}  // namespace headrace::bench
