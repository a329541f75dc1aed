// Values as JSON on one line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace headrace::bench {

std::string json(double number);  // nine digits; what is not finite becomes null
std::string json(std::int64_t number);
std::string json(int number);
std::string json(bool value);
std::string json(const std::string& text);
std::string json(const char* text);  // null stays null
// Texts that are JSON already, as an array.
std::string json_array(const std::vector<std::string>& elements);

template <class value>
std::string json(const std::vector<value>& values) {
  std::vector<std::string> elements;
  for (const value& each : values) elements.push_back(json(each));
  return json_array(elements);
}

class json_object {
 public:
  template <class value>
  json_object& add(const char* name, const value& what) {
    return add_json(name, json(what));
  }
  // A value that is JSON already.
  json_object& add_json(const char* name, const std::string& what);
  std::string text() const { return "{" + members_ + "}"; }

 private:
  std::string members_;
};

}  // namespace headrace::bench
