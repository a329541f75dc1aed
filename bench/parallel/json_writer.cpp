#include "json_writer.hpp"

#include <cmath>
#include <cstdio>

#include "../../mpi/json/json.hpp"

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
  return json_text(text);
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
