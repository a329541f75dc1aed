#include "attribute_failures.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "../../src/core/name_text.hpp"

namespace headrace {
namespace {

const char* type_name(type_class type) {
  static constexpr const char* names[] = {"", "integer", "real", "complex", "logical", "character"};
  return names[static_cast<std::size_t>(type)];
}

std::string values_text(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " value" : " values");
}

}  // namespace

std::string kind_text(type_class type, std::size_t bytes) {
  return std::string(type_name(type)) + " of " + bytes_text(bytes);
}

std::string attribute_kind_text(type_class type, std::size_t bytes) {
  const bool any_length = type == type_class::character || type == type_class::logical;
  return any_length ? type_name(type) : kind_text(type, bytes);
}

status no_such_kind(const std::string& files, type_class type, std::size_t bytes) {
  static constexpr const char* names[] = {"",         "integers",  "reals", "complex numbers",
                                          "logicals", "characters"};
  return status::failure(stat_code::kind_unsupported, files + " hold no " +
                                                          names[static_cast<std::size_t>(type)] +
                                                          " of " + bytes_text(bytes))
      .advise(
          "integers have 1, 2, 4 or 8 bytes, reals 4 or 8, complex numbers 8 or 16, characters 1 "
          "or more");
}

status no_array_to_describe(const std::string& array) {
  return status::failure(stat_code::array_missing,
                         "there is no array " + shown(array) + " to describe")
      .advise("write the array before its attributes");
}

status no_attribute(const std::string& name) {
  return status::failure(stat_code::array_missing, "there is no attribute " + shown(name))
      .advise("array= names the array that an attribute belongs to; without it, it is the file's");
}

status attribute_of_another_kind(const std::string& name, const array_view& wanted,
                                 const std::string& found) {
  return status::failure(stat_code::kind_mismatch, "attribute " + shown(name) + " has another kind")
      .expected(attribute_kind_text(wanted.type, wanted.elem_len), found)
      .advise("read it into a variable of that kind: attributes are not converted");
}

status attribute_of_another_length(const std::string& name, const array_view& wanted,
                                   std::size_t found, const std::string& more) {
  const std::size_t elements = element_count(wanted).value_or(0);
  return status::failure(stat_code::shape_mismatch,
                         "attribute " + shown(name) + " has another length")
      .expected(wanted.array_rank == 0 ? "a scalar" : values_text(elements),
                values_text(found) + more)
      .advise("read it into an array of " + std::to_string(found) +
              (found == 1 ? " element or a scalar" : " elements"));
}

status attribute_text_too_long(stat_code code, const std::string& name, std::size_t room,
                               std::size_t found) {
  return status::failure(code,
                         "the text of attribute " + shown(name) + " is longer than the variable")
      .expected("at most " + bytes_text(room), bytes_text(found))
      .advise("read it into character(len=" + std::to_string(found) + ") or longer");
}

std::vector<std::string> texts_of(const array_view& value) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < element_count(value).value_or(0); ++i) {
    texts.emplace_back(value.base + i * value.elem_len, value.elem_len);
    texts.back().erase(texts.back().find_last_not_of(' ') + 1);
  }
  return texts;
}

status check_c_texts(const std::string& name, const std::vector<std::string>& texts) {
  const auto goes_on = [](const std::string& text) {
    const std::size_t end = text.find('\0');
    return end != std::string::npos && text.find_first_not_of('\0', end) != std::string::npos;
  };
  if (std::none_of(texts.begin(), texts.end(), goes_on)) return {};
  return status::failure(stat_code::argument_invalid,
                         "the text of attribute " + shown(name) + " has a NUL byte inside")
      .advise("take char(0) out of it: files of this format end texts there");
}

status set_texts(const std::string& name, const std::vector<std::string>& texts,
                 const array_view& value, stat_code too_long) {
  if (texts.size() != element_count(value).value_or(0))
    return attribute_of_another_length(name, value, texts.size());
  char* to = value.base;
  for (const std::string& text : texts) {
    const std::size_t bytes = text.find_last_not_of(' ') + 1;
    if (bytes > value.elem_len)
      return attribute_text_too_long(too_long, name, value.elem_len, bytes);
    std::memset(to, ' ', value.elem_len);
    std::memcpy(to, text.data(), bytes);
    to += value.elem_len;
  }
  return {};
}

}  // namespace headrace
