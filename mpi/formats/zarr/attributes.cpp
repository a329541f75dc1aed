#include "metadata.hpp"

#include <cstring>
#include <string_view>
#include <vector>

#include "../../../src/core/name_text.hpp"
#include "../../dataset/attribute_failures.hpp"

namespace headrace::zarr {

namespace {

std::string_view trimmed(const char* text, std::size_t bytes) noexcept {
  while (bytes > 0 && text[bytes - 1] == ' ') --bytes;
  return {text, bytes};
}

status unsupported(const array_view& value) {
  return status::failure(
             stat_code::kind_unsupported,
             value.type == type_class::complex
                 ? std::string("attributes of a Zarr store hold no complex numbers")
                 : "attributes of a Zarr store hold no numbers of " + bytes_text(value.elem_len))
      .advise("write real and imaginary parts, or values of int64 or real64");
}

template <class Real>
std::string json_of_real(const char* at) {
  Real number;
  std::memcpy(&number, at, sizeof number);
  return json_real(number);
}

status json_of_element(const array_view& value, const char* at, std::string& text) {
  switch (value.type) {
    case type_class::integer:
      if (!with_integer(value.elem_len, [&](auto word) {
            std::memcpy(&word, at, sizeof word);
            text = std::to_string(word);
          }))
        return unsupported(value);
      return {};
    case type_class::real:
      if (value.elem_len != 4 && value.elem_len != 8) return unsupported(value);
      text = value.elem_len == 4 ? json_of_real<float>(at) : json_of_real<double>(at);
      return {};
    case type_class::logical:
      text = is_true(at, value.elem_len) ? "true" : "false";
      return {};
    case type_class::character:
      if (!is_utf8(trimmed(at, value.elem_len)))
        return status::failure(stat_code::argument_invalid,
                               "the text of the attribute is not UTF-8")
            .advise("JSON holds UTF-8 only: convert the text");
      text = json_text(trimmed(at, value.elem_len));
      return {};
    case type_class::complex:
      break;
  }
  return unsupported(value);
}

bool is_integer(const json_value& stored) noexcept {
  return stored.is(json_value::kind::number) &&
         stored.text.find_first_of(".eEN") == std::string::npos;
}

const char* kind_of(const json_value& stored) noexcept {
  if (stored.is(json_value::kind::number))
    return is_integer(stored) ? "an integer of 1 to 8 bytes" : "a real number, real32 or real64";
  static constexpr const char* names[] = {"null",   "a logical value", "",
                                          "a text", "a list",          "an object"};
  return names[static_cast<std::size_t>(stored.what)];
}

status read_element(const std::string& name, const json_value& stored, const array_view& value,
                    char* to) {
  const std::size_t bytes = value.elem_len;
  if (value.type == type_class::character && stored.is(json_value::kind::text)) {
    if (stored.text.size() > bytes)
      return attribute_text_too_long(stat_code::kind_mismatch, name, bytes, stored.text.size());
    std::memset(to, ' ', bytes);
    stored.text.copy(to, bytes);
    return {};
  }
  if (put_value(stored, value.type, bytes, to)) return {};
  const bool is_too_large =
      bytes <= 8 && (value.type == type_class::integer
                         ? is_integer(stored)
                         : value.type == type_class::real && stored.is(json_value::kind::number));
  if (!is_too_large) return attribute_of_another_kind(name, value, kind_of(stored));
  return status::failure(stat_code::kind_mismatch,
                         "the value of attribute " + shown(name) +
                             " does not fit the kind of the variable: " + stored.text)
      .advise("read it into a longer kind");
}

}  // namespace

status json_of_attribute(const array_view& value, std::string& text) {
  if (value.array_rank == 0) return json_of_element(value, value.base, text);
  std::vector<std::string> items;
  for (std::ptrdiff_t i = 0; i < value.extent[0]; ++i) {
    items.emplace_back();
    if (status s = json_of_element(value, value.base + i * value.stride[0], items.back()); !s.ok())
      return s;
  }
  text = json_list(items);
  return {};
}

status read_json_attribute(const std::string& name, const json_value& stored,
                           const array_view& value) {
  const bool is_list = stored.is(json_value::kind::list);
  const auto wanted = static_cast<std::size_t>(value.array_rank == 0 ? 1 : value.extent[0]);
  // One value is a scalar or a list of one: libraries differ.
  if (!is_list && wanted == 1) return read_element(name, stored, value, value.base);
  if (!is_list || stored.items.size() != wanted)
    return attribute_of_another_length(name, value, is_list ? stored.items.size() : 1);
  const std::ptrdiff_t step = value.array_rank == 0 ? 0 : value.stride[0];
  for (std::size_t i = 0; i < wanted; ++i)
    if (status s = read_element(name, stored.items[i], value,
                                value.base + static_cast<std::ptrdiff_t>(i) * step);
        !s.ok())
      return s;
  return {};
}

}  // namespace headrace::zarr
